import Glibc
import ProcessTesting

/// What processes take up at one moment.
struct Sample: CustomStringConvertible {
  /// Private memory in KiB, by process; the service's is this one, with what
  /// watches it, and `heap` is what it has allocated.
  var memory: [String: Int]
  var descriptors: [String: Int]
  var threads: Int
  var children: Int
  /// Bytes of the store, and of its log.
  var store: Int
  var log: Int

  init(_ household: Household) throws {
    var processes = try household.sinksWhenReady().mapValues(Int.init)
    processes["service"] = Int(getpid())
    memory = try processes.mapValues(privateMemory)
    if let bytes = bytesInUse() { memory["heap"] = bytes / 1_024 }
    descriptors = processes.mapValues(descriptorCount)
    let own = names(in: "/proc/self/task")
    threads = own.count
    children = try own.reduce(0) {
      $0 + (try readText("/proc/self/task/\($1)/children")).split(separator: " ").count
    }
    store = size(of: "\(household.folder.path)/alarms.db")
    log = size(of: "\(household.folder.path)/alarms.db-wal")
  }

  /// Samples until what ends has ended and all is as it was, though not for ever.
  static func settled(_ household: Household, like other: Sample?) throws -> Sample {
    var sample = try Sample(household)
    for _ in 0..<200 where other.map({ sample.counts != $0.counts }) ?? false {
      usleep(10_000)
      sample = try Sample(household)
    }
    return sample
  }

  /// What must be the same at the end of each day.
  var counts: [String: Int] {
    descriptors.merging(["threads": threads, "children": children]) { $1 }
  }

  var description: String {
    let all = memory.sorted { $0.key < $1.key }.map { "\($0) \($1) KiB" }
    let open = descriptors.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
    return (all + ["descriptors of \(open.joined(separator: ", "))"]).joined(separator: ", ")
      + ", \(threads) threads, \(children) children, store \(store / 1_024) KiB, log \(log / 1_024) KiB"
  }
}

/// KiB that only this process has: what it would give back by ending.
func privateMemory(_ pid: Int) throws -> Int {
  let text = try readText("/proc/\(pid)/smaps_rollup")
  return text.split(separator: "\n").reduce(0) { sum, line in
    let words = line.split(separator: " ")
    guard words.first == "Private_Dirty:", words.count > 1 else { return sum }
    return sum + (Int(words[1]) ?? 0)
  }
}

func descriptorCount(_ pid: Int) -> Int { names(in: "/proc/\(pid)/fd").count }

/// The names in a folder.
func names(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names
}

/// A file's size, 0 if there is none.
func size(of path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// A file's text, read with system calls alone, so that reading is not what grows.
func readText(_ path: String) throws -> String {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16 << 10)
  while true {
    let count = read(file, &chunk, chunk.count)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += chunk[..<count]
  }
}
