/// What befalls the daemon or its disk in one cycle.
struct Strike: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// SIGKILL between two requests or operations, or within one.
    case kill
    /// SIGKILL before an operation, after it, or after half of a write.
    case operation
    /// Operations that fail, and a daemon that goes on.
    case error
    /// A power cut: what was not synchronized may be there in part, or not at all.
    case power
  }

  /// As the C library before the daemon knows it.
  enum Action: UInt32, CaseIterable, Sendable {
    case none, killBefore, killAfter, tear, shortWrite, inputOutput, noSpace, synchronize
  }

  var kind: Kind
  var action = Action.none
  /// The first operation to be struck, counted from the strike's arming.
  var distance: UInt64 = 0
  /// How many operations are struck from there on.
  var length: UInt32 = 1
  /// Whether it is armed before the daemon starts.
  var isAtStart = false
  /// After how many requests the daemon is killed, if it lives so long.
  var requests = 0

  static func random(
    _ kinds: [Kind],
    using random: inout some RandomNumberGenerator
  ) -> Strike {
    let all = kinds.isEmpty ? Kind.allCases : kinds
    var strike = Strike(kind: all.randomElement(using: &random) ?? .kill)
    strike.requests = .random(in: 0...40, using: &random)
    strike.isAtStart = Int.random(in: 0..<5, using: &random) == 0
    strike.distance = .random(in: 1...(strike.isAtStart ? 40 : 90), using: &random)
    switch strike.kind {
    case .kill, .power: break
    case .operation:
      strike.action =
        [.killBefore, .killAfter, .tear].randomElement(using: &random) ?? .killAfter
    case .error:
      strike.action =
        [.shortWrite, .inputOutput, .noSpace, .synchronize].randomElement(using: &random)
        ?? .inputOutput
      strike.length = [1, 1, 2, 10, .max].randomElement(using: &random) ?? 1
    }
    return strike
  }

  var name: String {
    switch kind {
    case .kill: "killed"
    case .operation: "killed at an operation (\(action))"
    case .error: "failing operations (\(action))"
    case .power: "power cut"
    }
  }
}
