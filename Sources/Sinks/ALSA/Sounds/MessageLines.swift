import Glibc
import SinkKit

/// What a program writes on its standard error: read so that it never waits, the last of it kept.
///
/// Used on the sink's thread only.
final class MessageLines {
  private static let limit = 4_096

  private let host: SinkHost
  private var descriptor: CInt
  private var token: SinkHost.Token?
  private var bytes: [UInt8] = []

  /// Takes a descriptor that does not block, and closes it.
  init(_ descriptor: CInt, host: SinkHost) {
    self.descriptor = descriptor
    self.host = host
    token = host.watch(descriptor, for: .readable) { [weak self] _ in self?.drain() }
  }

  deinit { finish() }

  /// The last line that is not blank, without what a terminal would act on, at most 200 characters.
  func takeLast() -> String {
    drain()
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let texts = lines.map { line in
      String(decoding: line.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
    return texts.last { $0.contains { $0 != " " } }.map { String($0.prefix(200)) } ?? ""
  }

  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    // One that never stops shall not hold the sink up; the rest comes with the next call.
    for _ in 0..<16 where descriptor >= 0 {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
        if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
      } else if count == 0 || errno != EINTR {
        if count < 0, errno == EAGAIN { return }
        finish()
      }
    }
  }

  private func finish() {
    host.cancel(&token)
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
