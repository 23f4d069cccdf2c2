// What a widget extension draws on a phone, drawn on a terminal: a bar in the alarm's colour that runs down.
//
//   swift run example-terminal-widget            five seconds; Enter stops it, without a terminal it stops itself
//   swift run example-terminal-widget 120
import AlarmKit

exit(await TerminalWidget.run(CommandLine.arguments.dropFirst()))
