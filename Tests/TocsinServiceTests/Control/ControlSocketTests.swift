import Foundation
import Glibc
import Testing

@testable import TocsinService

@Suite("The control socket")
struct ControlSocketTests {
  private let shelf = Shelf()
  private var path: String { shelf.directory + "/s" }

  private func failure(_ path: String, group: gid_t? = nil) -> ControlSocketError? {
    do throws(ControlSocketError) {
      _ = try ControlSocket(path: path, group: group)
      return nil
    } catch { return error }
  }

  private func bindStale(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    return descriptor
  }

  @Test("listens, for its owner alone, and is gone at the end")
  func listens() throws {
    var socket: ControlSocket? = try ControlSocket(path: path, group: nil)
    #expect(try shelf.mode("s") == 0o600)
    #expect(try shelf.mode("s.lock") == 0o600)
    #expect(Wire.connect(to: path) != nil)
    withExtendedLifetime(socket) {}
    socket = nil
    #expect(Wire.connect(to: path) == nil)
    #expect(try shelf.names() == ["s.lock"])
    #expect(failure(path) == nil)
  }

  @Test("makes its directory")
  func directory() throws {
    let socket = try ControlSocket(path: shelf.directory + "/new/s", group: nil)
    #expect(Wire.connect(to: socket.path) != nil)
  }

  @Test("is opened to a group that is named")
  func group() throws {
    let socket = try ControlSocket(path: path, group: getegid())
    #expect(try shelf.mode("s") == 0o660)
    var status = stat()
    lstat(path, &status)
    #expect(status.st_gid == getegid())
    withExtendedLifetime(socket) {}
  }

  @Test("replaces what a killed daemon left")
  func stale() throws {
    close(bindStale(path))
    let socket = try ControlSocket(path: path, group: nil)
    #expect(Wire.connect(to: path) != nil)
    withExtendedLifetime(socket) {}
  }

  @Test("leaves a daemon alone that holds the lock, and names it")
  func locked() throws {
    let socket = try ControlSocket(path: path, group: nil)
    #expect(failure(path) == .busy(path: path, pid: getpid()))
    #expect("\(try #require(failure(path)))".contains("process \(getpid())"))
    #expect(Wire.connect(to: path) != nil)
    withExtendedLifetime(socket) {}
  }

  @Test("leaves a daemon alone that listens without a lock")
  func live() throws {
    let other = bindStale(path)
    listen(other, 1)
    defer { close(other) }
    #expect(failure(path) == .busy(path: path, pid: nil))
    #expect(try shelf.names() == ["s", "s.lock"])
  }

  @Test("leaves a file, a directory or a link alone that is no socket", arguments: [0, 1, 2])
  func noSocket(_ kind: Int) throws {
    switch kind {
    case 0: try shelf.write(Data("precious".utf8), "s")
    case 1: mkdir(path, 0o700)
    default: symlink("/dev/null", path)
    }
    #expect(failure(path) == .notASocket(path: path))
    if kind == 0 { #expect(try shelf.bytes("s") == Data("precious".utf8)) }
    #expect(try shelf.names() == ["s", "s.lock"])
  }

  @Test("does not follow a symbolic link in place of the lock")
  func link() throws {
    try shelf.write(Data("precious".utf8), "other")
    symlink(shelf.directory + "/other", path + ".lock")
    let error = try #require(failure(path))
    #expect(error == .system(path: path, SystemError("open", path + ".lock", code: ELOOP)))
    #expect("\(error)".contains("remove the symbolic link"))
    #expect(try shelf.bytes("other") == Data("precious".utf8))
  }

  @Test("says how long a path may be")
  func tooLong() {
    let path = "/tmp/" + String(repeating: "x", count: 103)
    #expect(path.utf8.count == 108)
    #expect(failure(path) == .tooLong(path: path, limit: 107))
    // One byte less is refused for another reason, if for any.
    let shorter = "/nowhere/" + String(repeating: "x", count: 98)
    #expect(failure(shorter.replacing("/nowhere", with: shelf.directory + "/no/where")) != nil)
  }

  @Test("says where to go if it may not be there")
  func refused() throws {
    try shelf.write(Data(), "file")
    let error = try #require(failure(shelf.directory + "/file/s"))
    #expect("\(error)".contains("set TOCSIN_SOCKET to a place where user \(geteuid()) may write"))
  }
}
