import Glibc
import Synchronization

/// The way back to a sink from threads of its own; may be used from any thread.
///
/// The body gets the sink as its argument, on the thread that owns it, so it needs to capture
/// nothing but values: `mailbox.perform { $0.framesMoved(count) }`.
public struct SinkMailbox<Owner: AnyObject>: Sendable {
  let queue: MailQueue?
  let address: Int

  /// Runs the body on the sink's own thread, soon, and in the order in which they were given.
  ///
  /// Nothing happens if the sink is gone. Never blocks.
  public func perform(_ body: @escaping @Sendable (Owner) -> Void) {
    queue?.put(
      MailQueue.Letter(address: address) { owner in
        if let owner = owner as? Owner { body(owner) }
      }
    )
  }
}

/// Work that other threads leave for the loop, and a pipe that wakes it.
final class MailQueue: Sendable {
  struct Letter: Sendable {
    var address: Int
    var body: @Sendable (AnyObject) -> Void
  }

  /// Nil once nobody reads any more, so that a thread that goes on cannot fill the memory.
  private let letters = Mutex<[Letter]?>([])
  private let wakeUp: SelfPipe

  /// Nil if no pipe can be had.
  init?() {
    guard let pipe = SelfPipe() else { return nil }
    wakeUp = pipe
  }

  /// Adds a letter; wakes the loop if it was the first.
  func put(_ letter: Letter) {
    let first = letters.withLock { letters in
      letters?.append(letter)
      return letters?.count == 1
    }
    if first { wakeUp.signal() }
  }

  func take() -> [Letter] {
    wakeUp.drain()
    return letters.withLock { letters in
      defer { if letters != nil { letters = [] } }
      return letters ?? []
    }
  }

  /// Drops what is there and all that comes.
  func close() { letters.withLock { $0 = nil } }

  var source: MailSource { MailSource(queue: self, descriptor: wakeUp.readEnd) }
}

/// Delivers letters to their owners, which it does not keep alive; used by the loop's thread only.
final class MailSource: PollSource {
  private struct Weak {
    weak var owner: AnyObject?
  }

  private let queue: MailQueue
  private let descriptor: CInt
  private var owners: [Weak] = []

  init(queue: MailQueue, descriptor: CInt) {
    self.queue = queue
    self.descriptor = descriptor
  }

  func register(_ owner: AnyObject) -> Int {
    owners.append(Weak(owner: owner))
    return owners.count - 1
  }

  func prepare() -> (descriptors: [pollfd], timeout: Duration?) {
    ([pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)], nil)
  }

  func dispatch(_ descriptors: ArraySlice<pollfd>) {
    guard descriptors.first.map({ $0.revents != 0 }) == true else { return }
    for letter in queue.take() where owners.indices.contains(letter.address) {
      if let owner = owners[letter.address].owner { letter.body(owner) }
    }
  }
}
