import Foundation
import Glibc
import Synchronization

/// A thread with mounts of its own, which end with it: real full and read-only file systems.
enum PrivateMounts {
  private typealias Unshare = @convention(c) (Int32) -> Int32
  private static let newMounts: Int32 = 0x0002_0000
  private static let readOnly: UInt = 1
  private static let remount: UInt = 32
  private static let bind: UInt = 4096
  private static let recursive: UInt = 16_384
  private static let `private`: UInt = 1 << 18

  /// Whether this process may mount.
  static let isPossible: Bool = {
    let box = Answer()
    run { box.isYes.withLock { $0 = tmpfs("/mnt", size: "64k") } }
    return box.isYes.withLock { $0 }
  }()

  private final class Answer: Sendable { let isYes = Mutex(false) }

  /// Runs a body on a new thread whose mounts nobody else sees; threads it starts see them too.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      // Glibc's module does not show unshare(2); the cast is safe because that is its signature.
      if let symbol = dlsym(nil, "unshare"),
        unsafeBitCast(symbol, to: Unshare.self)(newMounts) == 0,
        mount("none", "/", nil, recursive | `private`, nil) == 0
      {
        body()
      }
      done.signal()
    }
    thread.start()
    done.wait()
  }

  static func tmpfs(_ path: String, size: String) -> Bool {
    mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0
  }

  /// Makes a directory read-only for this thread, or writable again.
  ///
  /// It is busy while a child of another test, between fork and exec, has files of it open; that passes.
  static func setReadOnly(_ path: String, _ isReadOnly: Bool) -> Bool {
    for _ in 0..<5_000 {
      if mount(path, path, nil, bind | remount | (isReadOnly ? readOnly : 0), nil) == 0 {
        return true
      }
      guard errno == EBUSY else { return false }
      poll(nil, 0, 1)
    }
    return false
  }

  static func bindToItself(_ path: String) -> Bool {
    mount(path, path, nil, bind, nil) == 0
  }
}
