/// What the clients of the control socket may use up, so that none can harm the alarms.
struct ControlLimits: Sendable {
  /// Connections in all.
  var clients = 64
  /// Connections of one process.
  var clientsOfProcess = 16
  /// Connections of all users together who are neither the daemon's own nor root.
  var clientsOfOthers = 48
  /// Connections that are accepted before others have their turn.
  var accepts = 16
  /// Bytes of events waiting to be read by a client; one that lets more pile up does not read.
  var output = 1 << 20
  /// Bytes of a long answer made ahead of the client's reading, and between two looks at the alarms.
  var chunk = 16 << 10
  /// Requests of a client not answered yet before no more are read.
  var open = 256
  /// Requests of a client that are handled before others have their turn.
  var turn = 16
  /// The same of a client that has left: it waits for nothing.
  var turnOfGone = 4
  /// How long a line may take from its first byte to its last, while lines are read at all.
  var line: Duration = .seconds(5)
  /// How long no connection is accepted after the process ran out of descriptors.
  var rest: Duration = .milliseconds(200)
}
