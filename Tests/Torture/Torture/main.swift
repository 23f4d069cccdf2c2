import Glibc

exit(Torture.run(Array(CommandLine.arguments.dropFirst())))
