public import AlarmKit
import TocsinTime

extension TestAlarms {
  /// Lets time pass, and everything happen that comes due in it.
  ///
  /// - Parameter duration: how long; below zero nothing happens.
  public func advance(by duration: Duration) async {
    await settle()
    await service.onItsOwnThread { $0.advance(by: max(.zero, duration)) }
    await settle()
  }

  /// Lets time pass until the wall clock reads so much, and everything happen that comes due in it.
  ///
  /// - Parameter date: when to end; nothing happens if it is past.
  public func advance(to date: Date) async {
    guard let instant = Instant(date) else { return }
    await settle()
    await service.onItsOwnThread { $0.advance(to: instant) }
    await settle()
  }

  /// Sets the wall clock forward or back, as a person or a time server would; no time passes.
  ///
  /// - Parameter duration: how far; below zero sets it back.
  public func setClock(by duration: Duration) async {
    await settle()
    await service.onItsOwnThread { $0.step(by: duration) }
    await settle()
  }

  /// Takes the machine into another time zone.
  ///
  /// - Parameter timeZone: the zone.
  /// - Throws: an error if the machine does not know it.
  public func setTimeZone(_ timeZone: TimeZone) async throws {
    await settle()
    try await service.setZone(timeZone.identifier)
    await settle()
  }
}
