import Glibc
import ProcessTesting
import SinkKit
import Testing

@testable import ALSASink

@Suite("Cards that come and go")
struct CardWatchTests {
  @Test("Are noticed by their files, also if there was no card before")
  func notices() throws {
    let bench = try Bench()
    let place = try TemporaryFolder()
    let folder = place.path + "/snd"
    var changes = 0
    let watch = try #require(CardWatch(host: bench.manual.host, folder: folder) { changes += 1 })
    bench.manual.tick()
    #expect(changes == 0)
    mkdir(folder, 0o700)
    bench.manual.waitForWork()
    #expect(changes == 1)
    close(creat(folder + "/controlC0", 0o600))
    bench.manual.waitForWork()
    #expect(changes == 2)
    unlink(folder + "/controlC0")
    bench.manual.waitForWork()
    #expect(changes == 3)
    watch.end()
    close(creat(folder + "/controlC1", 0o600))
    bench.manual.tick()
    #expect(changes == 3)
  }
}
