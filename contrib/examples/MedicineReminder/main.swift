// A medicine reminder: rings, and its own button records the dose and ends the alarm.
//
//   swift run example-medicine-reminder          in three seconds, all steps by itself
//   swift run example-medicine-reminder 60       on a terminal: t for taken, or Enter to stop
import AlarmKit

exit(await MedicineReminder.run(CommandLine.arguments.dropFirst()))
