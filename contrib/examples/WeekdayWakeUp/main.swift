// A wake-up alarm at 07:00 on weekdays, with snooze. It stays when this program has ended: that is what it is for.
//
//   swift run example-weekday-wake-up               sets it, or says that it is set, and when it rings
//   swift run example-weekday-wake-up --list        shows this program's alarms
//   swift run example-weekday-wake-up --cancel      deletes it
import AlarmKit

exit(await WeekdayWakeUp.run(CommandLine.arguments.dropFirst()))
