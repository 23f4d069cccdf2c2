import CLinux

/// What a descriptor is watched for, and what happened to it.
package struct Events: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// There is something to read, a connection to accept, or the end.
  package static let readable = Events(rawValue: EPOLLIN.rawValue)
  /// There is room to write.
  package static let writable = Events(rawValue: EPOLLOUT.rawValue)
  /// The other end of a stream will send no more.
  package static let readClosed = Events(rawValue: EPOLLRDHUP.rawValue)
  /// Out-of-band or exceptional data, as on sysfs attributes.
  package static let urgent = Events(rawValue: EPOLLPRI.rawValue)
  /// The other end is gone; always reported, until the descriptor is no longer watched.
  package static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
  /// The descriptor is in error; always reported, until it is no longer watched.
  package static let failed = Events(rawValue: EPOLLERR.rawValue)
}
