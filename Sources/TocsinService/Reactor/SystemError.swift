import Glibc

/// A system call that failed: what was tried, on what, and the kernel's reason.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The call, as its manual page is named.
  package var operation: String
  /// The file, descriptor or program it was about; empty if there is none.
  package var subject: String
  /// The errno.
  package var code: Int32

  package init(_ operation: String, _ subject: String = "", code: Int32 = errno) {
    self.operation = operation
    self.subject = subject
    self.code = code
  }

  package var description: String {
    let place = subject.isEmpty ? operation : "\(operation) \(subject)"
    return "\(place): \(String(cString: strerror(code)))"
  }
}

/// Repeats a call that a signal interrupted, and turns -1 into a `SystemError`.
@discardableResult
package func check<Result: SignedInteger>(
  _ operation: String,
  _ subject: String = "",
  _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemError(operation, subject, code: code) }
  }
}

/// A file descriptor that is closed when its owner lets go of it.
package struct Descriptor: ~Copyable {
  /// The number, valid for as long as this value lives; -1 for none.
  package let raw: Int32

  package init(owning raw: Int32) {
    self.raw = raw
  }

  /// Gives the number away, which is then closed by whoever takes it.
  package consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }

  deinit {
    if raw >= 0 { close(raw) }
  }
}
