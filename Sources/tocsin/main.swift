import Glibc
import TocsinCommand

exit(TocsinCommand.run(CommandLine.arguments))
