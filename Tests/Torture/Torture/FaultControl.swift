import Glibc
import ProcessTesting
import Synchronization

/// The memory that is shared with the C library before the daemon.
///
/// The layout is that of `struct control` there.
final class FaultControl {
  let path: String
  private let memory: UnsafeMutableRawPointer
  private static let size = 32

  init(_ path: String) throws {
    self.path = path
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0, ftruncate(file, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    close(file)
    self.memory = memory
  }

  deinit { munmap(memory, Self.size) }

  /// Operations that are over.
  var count: UInt64 { load(0) }
  /// Operations that were struck.
  var struck: UInt64 { load(24) }

  func arm(_ strike: Strike) {
    store(UInt64(strike.action.rawValue) | UInt64(strike.length) << 32, 16)
    store(count + strike.distance, 8)
  }

  func disarm() { store(0, 8) }

  private func load(_ offset: Int) -> UInt64 {
    // Whole words are written and read at once on every processor that this runs on.
    memory.load(fromByteOffset: offset, as: UInt64.self)
  }

  private func store(_ value: UInt64, _ offset: Int) {
    memory.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
  }
}
