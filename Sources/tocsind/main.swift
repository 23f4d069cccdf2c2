import Glibc
import TocsinService

exit(Daemon.run(arguments: CommandLine.arguments))
