import Testing

@testable import TocsinService

@Suite("Receipts a plugin owes")
struct OwedReceiptsTests {
  @Test("are due in the order of the events, the newest of each occurrence only")
  func order() {
    var owed = OwedReceipts()
    owed.owe(1, occurrence(1), isAlert: true, at: 10)
    owed.owe(2, occurrence(2), isAlert: true, at: 20)
    owed.owe(3, occurrence(1), isAlert: true, at: 30)
    #expect(owed.oldest == 20)
    owed.settle(1)
    #expect(owed.oldest == 20)
    owed.settle(2)
    #expect(owed.oldest == 30)
    owed.settle(3)
    #expect(owed.isEmpty && owed.oldest == nil)
  }

  @Test("are given up with the newest alert among them")
  func giveUp() {
    var owed = OwedReceipts()
    owed.owe(1, occurrence(1), isAlert: true, at: 10)
    owed.owe(2, occurrence(2), isAlert: false, at: 20)
    owed.owe(3, occurrence(3), isAlert: true, at: 30)
    #expect(owed.giveUp(until: 9) == nil)
    #expect(owed.giveUp(until: 20)?.seq == 1)
    #expect(owed.giveUp(until: 20) == nil)
    #expect(owed.oldest == 30)
    #expect(owed.giveUp(until: 30)?.occurrence == occurrence(3))
    #expect(owed.isEmpty)
  }

  @Test("say the same as a list that is searched, and take no more room")
  func model() {
    var seed: UInt64 = 5
    func random(_ bound: UInt64) -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (seed >> 33) % bound
    }
    var owed = OwedReceipts()
    var list: [(seq: UInt64, number: Int, since: Int64)] = []
    for step in 0..<20_000 as Range<Int64> {
      let number = Int(random(40))
      switch random(5) {
      case 0, 1:
        list.removeAll { $0.number == number }
        list.append((UInt64(step), number, step))
        owed.owe(UInt64(step), occurrence(number), isAlert: true, at: step)
      case 2, 3:
        let seq = random(4) == 0 ? random(20_000) : list.randomSeq(random)
        list.removeAll { $0.seq == seq }
        owed.settle(seq)
      default:
        let limit = step - Int64(random(200))
        let expected = list.last { $0.since <= limit }?.seq
        list.removeAll { $0.since <= limit }
        #expect(owed.giveUp(until: limit)?.seq == expected)
      }
      #expect(owed.oldest == list.first?.since)
      #expect(owed.isEmpty == list.isEmpty)
    }
  }
}

extension [(seq: UInt64, number: Int, since: Int64)] {
  fileprivate func randomSeq(_ random: (UInt64) -> UInt64) -> UInt64 {
    isEmpty ? 0 : self[Int(random(UInt64(count)))].seq
  }
}
