package import ActivityKit
package import TocsinModel

extension AlertConfiguration.AlertSound {
  /// What the service calls it.
  ///
  /// - Parameter folders: where the program's own sounds are, the first one first.
  /// - Returns: `none`, a file's whole path, a name of the sound theme, or nil for what is set.
  /// - Throws: `AlarmConfigurationError.soundName` for a name that is empty or names a folder.
  func wire(_ folders: [String]) throws(AlarmConfigurationError) -> String? {
    switch source {
    case .system: return nil
    case .silence: return AlarmSounds.none
    case .named(let name):
      if let file = try AlarmSounds.file(named: name, in: folders) { return file }
      // The sink's word for no sound at all: nobody who names a sound means that.
      guard name != AlarmSounds.none else { throw .soundName(name) }
      return name
    }
  }

  /// A sound that the service knows.
  package init(_ options: AlarmOptions) {
    let source: Source =
      switch options.sound {
      case nil: .system
      case AlarmSounds.none: .silence
      case let name?: .named(name)
      }
    self.init(source, volume: options.volume, fade: options.fade)
  }
}
