import Foundation
import TocsinModel

/// A sink that joined over the socket and answers when the test says so.
final class AttachedSink {
  let wire: Wire
  private(set) var last: [String: Any] = [:]

  init(
    _ running: RunningService,
    _ name: String,
    audible: Bool = false,
    parts: [String: Bool] = [:]
  ) {
    wire = running.connect()
    wire.ask("subscribe")
    var ready: [String: Any] = ["type": "ready", "name": name, "audible": audible]
    if !parts.isEmpty {
      ready["parts"] = parts.sorted { $0.key < $1.key }.map {
        ["name": $0.key, "audible": $0.value] as [String: Any]
      }
    }
    send(ready)
    // Once an answer is here the line before it was taken.
    wire.ask("status")
  }

  func send(_ object: [String: Any]) {
    let data = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    wire.write(String(decoding: data, as: UTF8.self) + "\n")
  }

  /// The next event of a type, those before it passed over; empty at the end.
  @discardableResult
  func next(_ type: String) -> [String: Any] {
    repeat { last = wire.object() } while !last.isEmpty && last["type"] as? String != type
    return last
  }

  /// The types of all events up to one of the given type.
  func types(upTo type: String) -> [String] {
    var types: [String] = []
    repeat {
      last = wire.object()
      types.append(last["type"] as? String ?? "end")
    } while types.last != type && types.last != "end"
    return types
  }

  /// Confirms the last event, and waits until that was taken.
  func confirm() {
    send(["type": "presented", "seq": last["seq"] ?? 0])
    wire.ask("status")
  }

  func fail(_ reason: String) {
    send(["type": "failed", "seq": last["seq"] ?? 0, "reason": reason, "retry": true])
    wire.ask("status")
  }
}
