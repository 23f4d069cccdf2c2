import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// Clients and plugins that want to do harm: another client is answered, alarms ring, nothing piles up.
@Suite(.timeLimit(.minutes(10)))
struct SecurityClientTests {
  private static let status = Array("{\"type\":\"status\",\"id\":\"s\"}\n".utf8)
  /// Whether contrib/sanitize runs this.
  private let isSanitized = ProcessInfo.processInfo.environment["TOCSIN_SANITIZER"] != nil

  /// How many descriptors a process has, and its memory in KiB; nil where this user may not see it.
  private func load(_ daemon: Program) -> (descriptors: Int, memory: Int)? {
    guard
      let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.pid)/fd"),
      let text = try? String(contentsOfFile: "/proc/\(daemon.pid)/smaps_rollup", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
      let memory = line.split(separator: " ").compactMap({ Int($0) }).first
    else { return nil }
    return (names.count, memory)
  }

  /// Returns once the daemon holds no more than that: it sees clients go in their turn, and gives memory
  /// back when it has nothing else to do.
  private func settled(
    _ daemon: Program,
    _ most: (descriptors: Int, memory: Int)
  ) -> (descriptors: Int, memory: Int)? {
    var last = load(daemon)
    let end = Date(timeIntervalSinceNow: 60)
    while let now = last, now.descriptors > most.descriptors || now.memory > most.memory,
      Date() < end
    {
      sched_yield()
      last = load(daemon)
    }
    return last
  }

  @Test("storms of connections, floods, passed descriptors and urgent bytes leave nothing behind")
  func storms() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let good = try place.connect()
      // The log of a store that was not written is not open.
      try good.request(.schedule(timer(3_600, "Roast")))
      for round in 0..<2 {
        let before = load(daemon)
        try good.request(.schedule(timer(0.4, "Egg \(round)")))
        for number in 0..<3_000 {
          guard let client = try? RawClient(place.socket) else { continue }
          if number % 100 == 0 {
            // Leaves a whole pipeline behind.
            for _ in 0..<3_000
            where (try? client.send(Self.status, flags: Int(MSG_DONTWAIT))) == nil {
              break
            }
            #expect(try good.request(.status).status != nil)
          }
          if number % 10 == 1 { client.passDescriptors(200) }
          if number % 10 == 2 { try? client.send([33], flags: Int(MSG_OOB)) }
          if number % 10 == 3 { client.halfClose() }
        }
        #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg \(round)"))
        try good.request(.intent(Intent(.stop, .named("Egg \(round)"))))
        guard let before else { continue }
        // The first round also takes the memory of the code itself, and the address sanitizer keeps what
        // was freed, to find what uses it still.
        let bounds = round > 0 && !isSanitized
        let most = (before.descriptors, bounds ? before.memory + 2_048 : Int.max)
        guard let after = settled(daemon, most) else { continue }
        #expect(after.descriptors <= most.0)
        #expect(after.memory <= most.1)
      }
      #expect(daemon.isRunning)
    }
  }

  @Test("slow, half-closed and stalled clients keep their places, and nobody waits for them")
  func slow() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let good = try place.connect()
      try good.request(.schedule(timer(0.5, "Egg")))
      // Fifteen subscribers that never read: the process has no more room than one more.
      var stalled: [RawClient] = []
      for _ in 0..<14 {
        let client = try RawClient(place.socket)
        try client.send(Array("{\"type\":\"subscribe\",\"id\":\"1\"}\n".utf8))
        client.halfClose()
        stalled.append(client)
      }
      // A line of exactly the limit, a byte at a time, between which others are answered.
      let slow = try RawClient(place.socket)
      let start = Array("{\"type\":\"list\",\"id\":\"".utf8)
      let end = Array("\"}\n".utf8)
      let filler = [UInt8](repeating: 120, count: JSONLine.limit - start.count - end.count)
      for (index, byte) in (start + filler + end).enumerated() {
        try slow.send([byte])
        if index % 4_096 == 0 { #expect(try good.request(.status).status?.alarms == 1) }
      }
      let answer = try slow.lines.line()
      #expect(answer?.contains("\"type\":\"") == true)
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg"))
      try good.request(.intent(Intent(.stop, .named("Egg"))))
      // Who has read nothing has lost nothing.
      for client in stalled { _ = try client.lines.line(with: "\"alerting\"") }
    }
  }

  @Test("without descriptors left an alarm rings, and once there are some, others are answered")
  func descriptors() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(
        ["/bin/sh", "-c", "ulimit -n 34; exec \"$0\"", try Program.find("tocsind")],
        output: .pipe
      )
      // A sink that is there needs no more of them.
      _ = try daemon.output.line(with: "\"sync\"")
      let good = try place.connect()
      try good.request(.schedule(timer(0.5, "Egg")))
      var crowd: [RawClient] = []
      for _ in 0..<60 { if let client = try? RawClient(place.socket) { crowd.append(client) } }
      #expect(try good.request(.status).status?.alarms == 1)
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg"))
      crowd = []
      try place.done("stop")
      #expect(daemon.isRunning)
    }
  }

  @Test("plugins that flood, send garbage or never read: others present, and clients are answered")
  func plugins() async throws {
    try await waiting {
      let shouting = [
        "zeros": "cat /dev/zero",
        "lines": "yes '{\"type\":\"log\",\"level\":\"info\",\"message\":\"x\"}'",
        "garbage": "cat /dev/urandom",
        "foreign": "yes '{\"type\":\"intent\",\"action\":\"stop\",\"occurrence\":\"nobody@1\"}'",
        "numbers": "yes '{\"type\":\"receipt\",\"seq\":1e308,\"ok\":true}'",
        "deaf": "exec sleep 1000",
      ]
      let place = try Place()
      var text = Place.console
      for (name, command) in shouting.sorted(by: { $0.key < $1.key }) {
        let script = try place.script(name, "#!/bin/sh\n\(command)\n")
        text += "[plugin \(name)]\nrun = \(script)\n\n"
      }
      try place.configure(text)
      let daemon = try place.daemon(output: .pipe)
      // What is logged of them is read, and is little.
      let good = try place.connect()
      for number in 0..<3 {
        try good.request(.schedule(timer(0.2, "Egg \(number)")))
        for _ in 0..<50 { #expect(try good.request(.status).status != nil) }
        #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg \(number)"))
        try good.request(.intent(Intent(.stop, .named("Egg \(number)"))))
        _ = try daemon.output.line(with: "\"stopped\"")
      }
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }
}

extension RawClient {
  /// Sends many descriptors of this process with one byte.
  func passDescriptors(_ count: Int) {
    let size = count * MemoryLayout<Int32>.size
    let header = MemoryLayout<cmsghdr>.size
    var control = [UInt8](repeating: 0, count: (header + size + 7) & ~7)
    control.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: header + size, as: Int.self)
      bytes.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      // SCM_RIGHTS
      bytes.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
      for index in 0..<count {
        bytes.storeBytes(of: 0, toByteOffset: header + index * 4, as: Int32.self)
      }
      var byte: UInt8 = 32
      withUnsafeMutableBytes(of: &byte) { data in
        var vector = iovec(iov_base: data.baseAddress, iov_len: 1)
        withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = bytes.baseAddress
          message.msg_controllen = bytes.count
          #expect(sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) >= 0 || errno != EINVAL)
        }
      }
    }
  }

  /// Sends no more, and may still read.
  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  func send(_ bytes: [UInt8], flags: Int) throws {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(flags))
    }
    guard count == bytes.count else { throw Failure("send: \(errno)") }
  }
}
