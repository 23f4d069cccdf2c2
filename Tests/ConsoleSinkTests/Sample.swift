import SinkKit
import SinkTesting

@testable import ConsoleSink

extension Sample {
  static func moment(_ seconds: Double) -> Moment {
    Moment(now: after(seconds), elapsed: .microseconds(Int64(seconds * 1e6)))
  }
}
