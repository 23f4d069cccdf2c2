import Glibc

exit(Soak.run(Array(CommandLine.arguments.dropFirst())))
