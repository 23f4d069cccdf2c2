import Foundation
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinApplication

@Suite("How long a program waits", .timeLimit(.minutes(10)))
struct LimitTests {
  @Test("Without a daemon a call ends with its limit, and says that nobody is there")
  func nobody() async throws {
    let ground = try Ground()
    let link = ground.link("kitchen", .daemon(socket: ground.socket), within: .milliseconds(200))
    for _ in 0..<2 {
      let awaited = await failure(ofAwaited: { _ = try await link.answer(to: .next) })
      let waited = try await onThread { failure { try link.wait(for: .next) } }
      for error in [awaited, waited] {
        guard case .unavailable(let text)? = error else {
          Issue.record("somebody answers: \(String(describing: error))")
          continue
        }
        #expect(text.contains(ground.socket))
      }
    }
    #expect(try await onThread { link.alarms.isEmpty && link.access == .notDetermined })
    try await onThread { link.close() }
  }

  @Test(
    "A daemon that hangs lets calls end with a timeout; when it goes on, all is as it should be"
  )
  func hanging() async throws {
    let ground = try Ground()
    let daemon = try ground.daemon()
    let link = ground.link()
    let (early, late) = (timer(600, "Early"), timer(1_200, "Late"))
    _ = try await link.answer(to: .schedule(early))
    daemon.signal(SIGSTOP)
    let short = Duration.milliseconds(200)
    #expect(
      try await onThread {
        failure { try link.wait(for: .schedule(late), within: short) }
      } == .timeout(seconds: 0.2)
    )
    #expect(
      await failure(ofAwaited: {
        _ = try await link.answer(to: .act(.pause, early.id), within: short)
      }) == .timeout(seconds: 0.2)
    )
    // Far more than is under way at once, so that some were never sent.
    let crowd = await withTaskGroup(of: ApplicationError?.self) { group in
      for _ in 0..<300 {
        group.addTask {
          await failure(ofAwaited: { _ = try await link.answer(to: .next, within: short) })
        }
      }
      return await group.reduce(into: [ApplicationError?]()) { $0.append($1) }
    }
    #expect(Set(crowd) == [.timeout(seconds: 0.2)])
    #expect(link.alarms.map(\.alarm.title) == ["Early"])
    daemon.signal(SIGCONT)
    let answer = try await link.answer(to: .list(Request.ListFilter()))
    // They were carried out, late, and nobody was answered twice.
    #expect(answer.alarms.map(\.alarm.title) == ["Late", "Early"])
    #expect(answer.alarms.map(\.state) == [.countdown, .paused])
    #expect(link.alarms == answer.alarms)
    try await onThread { link.close() }
  }

  @Test("A daemon that hangs from the beginning lets the first call end too")
  func hangingFirst() async throws {
    let ground = try Ground()
    let daemon = try ground.daemon()
    daemon.signal(SIGSTOP)
    let link = ground.link(within: .milliseconds(300))
    #expect(try await onThread { failure { try link.wait(for: .next) } } == .timeout(seconds: 0.3))
    #expect(try await onThread { link.alarms }.isEmpty)
    daemon.signal(SIGCONT)
    _ = try await link.answer(to: .next, within: patience)
    try await onThread { link.close() }
  }

  @Test("A task that is cancelled stops waiting at once, before and while it waits")
  func cancelled() async throws {
    let ground = try Ground()
    let link = ground.link("kitchen", .daemon(socket: ground.socket))
    let began = Notes()
    let task = Task {
      began.add("began")
      return await failure(ofAwaited: { _ = try await link.answer(to: .next) })
    }
    try await onThread { try began.wait(for: 1) }
    task.cancel()
    #expect(await task.value == .cancelled)
    let never = Task { () -> ApplicationError? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure(ofAwaited: { _ = try await link.answer(to: .next) })
    }
    #expect(await never.value == .cancelled)
    try await onThread { link.close() }
  }

  @Test("After the end every call fails at once, and readers are at their end")
  func closed() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    for isUsed in [true, false] {
      let link = ground.link()
      var updates = link.alarmUpdates().makeAsyncIterator()
      if isUsed { #expect(await updates.next() != nil) }
      try await onThread { link.close() }
      // It may have been told of its alarms before.
      while await updates.next() != nil {}
      var late = link.accessUpdates().makeAsyncIterator()
      #expect(await late.next() == nil)
      let awaited = await failure(ofAwaited: { _ = try await link.answer(to: .next) })
      let waited = try await onThread { failure { try link.wait(for: .next) } }
      for error in [awaited, waited] {
        guard case .unavailable(let text)? = error else {
          Issue.record("it is answered: \(String(describing: error))")
          continue
        }
        #expect(text.contains("closed"))
      }
      try await onThread { link.close() }
    }
    let unused = ground.link()
    unused.close()
    #expect(try await onThread { failure { try unused.wait(for: .next) } } != nil)
    daemon.end()
  }

  @Test("A call that waits on the main actor, whose updates are read there, is answered")
  @MainActor
  func mainActor() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    let seen = Notes()
    let reader = Task { @MainActor in
      for await alarms in link.alarmUpdates() { seen.add("\(alarms.count)") }
    }
    for count in 1...20 {
      try link.wait(for: .schedule(timer(600)))
      #expect(link.alarms.count == count)
      await Task.yield()
    }
    link.close()
    await reader.value
    // It may have begun to read after the first of them; none that came then is left out.
    let counts = seen.all.compactMap { Int($0) }
    let first = try #require(counts.first)
    #expect(counts == Array(first...20))
    daemon.end()
  }
}
