import Glibc
package import SinkKit

/// A stream of the net as samples, made by a program such as mpg123 or ffmpeg.
///
/// Used on the sink's thread only; nothing here waits. The program ends when this goes away.
package final class StreamDecoder {
  /// What a read gave.
  package enum Reading: Hashable, Sendable {
    /// So many frames were written into the buffer, at least one.
    case frames(Int)
    /// There is nothing now.
    case nothing
    /// There will be nothing any more, and why.
    case ended(SoundError)
  }

  private enum Phase {
    case running
    /// The output is over, and the program's status will say why.
    case closed
    case ended(SoundError)
  }

  /// Known to the mailbox before the decoder is complete.
  private final class Inbox {
    weak var owner: StreamDecoder?
  }

  /// Channels of a frame.
  package static let channels = 2
  /// How long a program that was asked to end is waited for.
  private static let grace = Duration.seconds(1)

  /// Its URL.
  package let url: String
  /// Frames a second.
  package let rate: Int
  /// The pipe that becomes readable when there are samples, and at the end; -1 after it.
  ///
  /// `watch` is the way to wait for it: who watches it by hand must cancel that before `stop`, and
  /// as soon as this is -1.
  package private(set) var descriptor: CInt

  private let host: SinkHost
  private let name: String
  private let patience: Duration
  private let child: DecoderProcess
  private let inbox: Inbox
  private let messages: MessageLines
  private var phase = Phase.running
  /// How the program ended.
  private var status: CInt?
  /// What is left of a frame.
  private var rest: [UInt8] = []
  private var lastData: Duration
  private var body: (() -> Void)?
  private var output: SinkHost.Token?
  private var notice: SinkHost.Token?
  private var silence: SinkHost.Token?
  private var killing: SinkHost.Token?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: the command.
  ///   - url: an http or https URL.
  ///   - rate: frames a second that the samples are to have.
  ///   - host: the sink's host.
  ///   - environment: PATH to find the program, and all that it gets.
  ///   - patience: after so long without samples the stream counts as ended.
  /// - Throws: `SoundError` with `.badURL` or `.program`.
  package init(
    program: DecoderProgram,
    url: String,
    rate: Int,
    host: SinkHost,
    environment: [String: String],
    patience: Duration = .seconds(4)
  ) throws(SoundError) {
    let arguments = try program.arguments(url: url, rate: rate)
    let inbox = Inbox()
    let mailbox = host.mailbox(for: inbox)
    do throws(ChildProcess.Failure) {
      child = try DecoderProcess(arguments, environment: environment) { status in
        mailbox.perform { $0.owner?.programEnded(status) }
      }
    } catch {
      throw SoundError(.program(program.name, error.code), url)
    }
    self.url = url
    self.rate = rate
    self.host = host
    self.patience = patience
    self.inbox = inbox
    name = program.name
    descriptor = child.output
    messages = MessageLines(child.error, host: host)
    lastData = host.elapsed
    inbox.owner = self
    expectData()
  }

  deinit {
    child.send(SIGKILL)
    for token in [output, notice, silence, killing] { if let token { host.cancel(token) } }
    if descriptor >= 0 { close(descriptor) }
  }

  // MARK: Samples

  /// Takes what samples there are, without waiting.
  ///
  /// - Parameter samples: room for them, two a frame.
  /// - Returns: how many frames were taken; the end only when all was.
  package func read(into samples: UnsafeMutableBufferPointer<Int16>) -> Reading {
    let frameSize = Self.channels * MemoryLayout<Int16>.size
    let room = UnsafeMutableRawBufferPointer(samples)
    let wanted = room.count / frameSize * frameSize
    guard wanted > 0, descriptor >= 0 else { return end ?? .nothing }
    for (index, byte) in rest.enumerated() { room[index] = byte }
    var filled = rest.count
    var isOver = false
    while filled < wanted {
      let place = UnsafeMutableRawBufferPointer(rebasing: room[filled..<wanted])
      let count = Glibc.read(descriptor, place.baseAddress, place.count)
      if count > 0 {
        filled += count
      } else if count == 0 || errno != EINTR {
        isOver = count == 0 || errno != EAGAIN
        break
      }
    }
    let whole = filled / frameSize * frameSize
    rest = Array(room[whole..<filled])
    if isOver { outputEnded() }
    guard whole > 0 else { return end ?? .nothing }
    lastData = host.elapsed
    return .frames(whole / frameSize)
  }

  /// Calls the body whenever there is something to read, and when the stream has ended.
  ///
  /// It comes again as long as not all is read; `unwatch` while there is no room.
  package func watch(_ body: @escaping () -> Void) {
    self.body = body
    if end != nil { return notify() }
    guard output == nil, descriptor >= 0 else { return }
    output = host.watch(descriptor, for: .readable) { [weak self] _ in self?.body?() }
  }

  /// Calls the body no more.
  package func unwatch() {
    body = nil
    host.cancel(&output)
    host.cancel(&notice)
  }

  /// Ends the program; nothing is read any more.
  ///
  /// It is asked to end (SIGTERM), and after a second killed. A thread of its own takes it away.
  package func stop() {
    unwatch()
    if case .ended = phase { return }
    phase = .ended(SoundError(.stopped, url))
    closeOutput()
    terminate()
  }

  // MARK: The end

  private var end: Reading? { if case .ended(let error) = phase { .ended(error) } else { nil } }

  private func outputEnded() {
    phase = .closed
    closeOutput()
    if status == nil {
      // It is about to end by itself; one that is not must not be waited for.
      killing = host.wake(after: Self.grace) { [child] in child.send(SIGKILL) }
    } else {
      tellEnd()
    }
  }

  /// What is still in the pipe now is to be read before the end is told.
  private func programEnded(_ status: CInt) {
    self.status = status
    host.cancel(&killing)
    if case .closed = phase { tellEnd() }
  }

  private func tellEnd() {
    let status = status ?? 0
    let code: SoundError.Code =
      status == 0 ? .streamEnded : .streamFailed(name, status, messages.takeLast())
    phase = .ended(SoundError(code, url))
    notify()
  }

  /// Calls the body, but not from within a call of its own.
  private func notify() {
    guard body != nil, notice == nil else { return }
    notice = host.wake(after: .zero) { [weak self] in
      self?.notice = nil
      self?.body?()
    }
  }

  private func closeOutput() {
    host.cancel(&output)
    host.cancel(&silence)
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    rest = []
  }

  private func terminate() {
    guard status == nil, killing == nil else { return }
    child.send(SIGTERM)
    killing = host.wake(after: Self.grace) { [child] in child.send(SIGKILL) }
  }

  // MARK: Silence

  private func expectData() {
    silence = host.wake(at: lastData + patience) { [weak self] in self?.checkSilence() }
  }

  private func checkSilence() {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Samples that wait because nobody reads them are no silence.
    if poll(&wanted, 1, 0) > 0 { lastData = host.elapsed }
    guard lastData + patience <= host.elapsed else { return expectData() }
    silence = nil
    phase = .ended(SoundError(.streamSilent, url))
    closeOutput()
    terminate()
    notify()
  }
}
