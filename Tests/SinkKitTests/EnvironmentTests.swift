import Glibc
import SinkKit
import Testing

@Suite("The environment") struct EnvironmentTests {
  @Test("is the same as a whole and one by one")
  func whole() {
    let all = Environment.all
    #expect(all["PATH"] != nil)
    for (name, value) in all { #expect(Environment.variable(name) == value) }
    #expect(Environment.variable("TOCSIN_IS_NEVER_SET") == nil)
  }
}
