// filled in by the branch that owns it
