import Foundation
import Glibc
import SinkKit
import Testing

@Suite("What happens in folders") struct FolderWatchTests {
  private let directory: String

  init() throws {
    var template = Array("/tmp/tocsin.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func create(_ name: String) { close(creat("\(directory)/\(name)", 0o600)) }

  @Test("is told with place, kind and name, all at once and in order")
  func events() throws {
    let watch = try #require(FolderWatch())
    let place = try #require(watch.add(directory, IN_CREATE | IN_DELETE))
    #expect(watch.take() == [])
    // More than one read(2) takes.
    let names = (0..<300).map { "a-name-of-some-length-\($0)" }
    for name in names { create(name) }
    unlink("\(directory)/\(names[0])")
    var wanted = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wanted, 1, 0) == 1)
    let events = watch.take()
    #expect(events.map(\.name) == names + [names[0]])
    #expect(events.allSatisfy { $0.place == place })
    let kinds = events.map { CInt($0.mask) }
    #expect(kinds.dropLast().allSatisfy { $0 == IN_CREATE } && kinds.last == IN_DELETE)
    #expect(watch.take() == [])
    try? FileManager.default.removeItem(atPath: directory)
  }

  @Test("is told of a file without a name, and no more once it is not watched")
  func file() throws {
    let watch = try #require(FolderWatch())
    create("a")
    let place = try #require(watch.add("\(directory)/a", IN_ATTRIB))
    chmod("\(directory)/a", 0o666)
    let events = watch.take()
    #expect(events.map(\.name) == [""] && events.map(\.place) == [place])
    watch.remove(place)
    chmod("\(directory)/a", 0o600)
    let isTold = watch.take().contains { CInt($0.mask) & IN_ATTRIB != 0 }
    #expect(!isTold)
    #expect(watch.add("\(directory)/b", IN_ATTRIB) == nil)
    try? FileManager.default.removeItem(atPath: directory)
  }
}
