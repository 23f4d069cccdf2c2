import Foundation
import Glibc
import Testing

@testable import SinkKit

@Suite struct SocketWatchTests {
  private let directory: String

  init() throws {
    var template = Array("/tmp/tocsin.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func create(_ name: String) { close(creat("\(directory)/\(name)", 0o600)) }

  /// Whether anything happened, and whether it may be what is waited for.
  private func events(_ watch: SocketWatch) -> Bool? {
    var wanted = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0 ? watch.takeEvents() : nil
  }

  @Test("A file of that name is noticed, others only wake")
  func name() throws {
    let watch = try #require(SocketWatch(["\(directory)/a.sock", "\(directory)/b.sock"]))
    #expect(events(watch) == nil)
    create("c.sock")
    #expect(events(watch) == false)
    create("b.sock")
    #expect(events(watch) == true)
    chmod("\(directory)/b.sock", 0o666)
    #expect(events(watch) == true)
    rename("\(directory)/c.sock", "\(directory)/a.sock")
    #expect(events(watch) == true)
    #expect(events(watch) == nil)
    try? FileManager.default.removeItem(atPath: directory)
  }

  @Test("Folders on the way are waited for, and again when they have gone")
  func folders() throws {
    let watch = try #require(SocketWatch(["\(directory)/x/y/a.sock"]))
    for _ in 0..<2 {
      mkdir("\(directory)/x", 0o700)
      #expect(events(watch) == true)
      mkdir("\(directory)/x/y", 0o700)
      #expect(events(watch) == true)
      create("x/y/a.sock")
      #expect(events(watch) == true)
      unlink("\(directory)/x/y/a.sock")
      rmdir("\(directory)/x/y")
      #expect(events(watch) == true)
      rmdir("\(directory)/x")
      #expect(events(watch) == true)
    }
    try? FileManager.default.removeItem(atPath: directory)
  }
}
