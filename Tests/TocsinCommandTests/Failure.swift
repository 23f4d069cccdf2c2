/// What the body throws, if it is of that kind; nil if it throws nothing or something else.
func failure<Failure: Error>(_ type: Failure.Type, _ body: () throws -> Void) -> Failure? {
  do {
    try body()
    return nil
  } catch {
    return error as? Failure
  }
}
