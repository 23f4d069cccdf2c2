import Glibc

// What the engine alone takes for each of many alarms, without a daemon and a store around it.
//
//   engine-costs fixed|weekly COUNT
//
// Prints what was done, and nanoseconds for each alarm or bytes for each.

let words = CommandLine.arguments.dropFirst()
guard words.count == 2, let pattern = words.first.flatMap(Pattern.init(rawValue:)),
  let count = words.last.flatMap({ Int($0) }), count > 0
else {
  print("usage: engine-costs fixed|weekly COUNT")
  exit(64)
}
var crowd = Crowd(pattern: pattern, count: count)
for figure in crowd.measure() { print(figure.what, figure.value) }
