// A kitchen timer: counts down, can be paused, rings, and says what is done when it is stopped.
//
//   swift run example-kitchen-timer              three seconds, all steps by itself
//   swift run example-kitchen-timer --for 4m     on a terminal: p pauses, r resumes, Enter stops
import AlarmKit

exit(await KitchenTimer.run(CommandLine.arguments.dropFirst()))
