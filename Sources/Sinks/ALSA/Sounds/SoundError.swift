import Glibc

/// Why something cannot be played.
package struct SoundError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Code: Hashable, Sendable {
    /// No theme has a sound of that name, and no folder a file of it; `places` were looked at.
    case notFound
    /// The theme says that this sound is not to be played, by the file that is in `places`.
    case disabled
    /// It cannot be opened or read, with the errno that says why.
    case unreadable(CInt)
    /// It is a pipe, a socket or a device.
    case notRegular
    /// It is a folder where a file is needed.
    case isFolder
    /// It is a folder in which nothing can be played.
    case nothingInFolder
    /// It has no bytes.
    case empty
    /// It is in no format that can be read.
    case notSound
    /// Its header is good but there are no samples in it.
    case noSamples
    /// It has that many frames a second, outside of `SoundFile.rates`.
    case rate(Int)
    /// It has that many channels.
    case channels(Int)
    /// It was not read in time.
    case tooSlow
    /// It comes from a URL, so it cannot be decoded ahead.
    case isStream
    /// It is no URL that may be opened.
    case badURL
    /// The decoder program's arguments say nowhere where the URL goes, or there are none.
    case badProgram
    /// The decoder program is not there, or cannot be started, with the errno that says why.
    case program(String, CInt)
    /// The decoder program ended with that status, or with that signal below zero, and said this.
    case streamFailed(String, CInt, String)
    /// The stream came to its end.
    case streamEnded
    /// Nothing came from the stream for a while.
    case streamSilent
    /// The stream was stopped on purpose.
    case stopped
  }

  /// What is wrong.
  package var code: Code
  /// What was to be played: a path, a name, a URL.
  package var subject: String
  /// Where it was looked for.
  package var places: [String]

  init(_ code: Code, _ subject: String, places: [String] = []) {
    self.code = code
    self.subject = subject
    self.places = places
  }

  static let formats = "WAV, AIFF, FLAC, Ogg Vorbis, Ogg Opus and MP3"

  /// One sentence: the thing, the place, the remedy.
  package var description: String {
    switch code {
    case .notFound:
      "no sound is called \(subject) \(looked); put one there, or give the whole path of a file"
    case .disabled:
      "the sound \(subject) is switched off by \(places.joined(separator: ", ")); "
        + "remove that file or choose another sound"
    case .unreadable(let number): unreadable(number)
    case .notRegular: "\(subject) is a device or a pipe; choose a file"
    case .isFolder: "\(subject) is a folder; choose a file"
    case .nothingInFolder:
      "nothing in the folder \(subject) can be played; put sounds there (\(Self.formats))"
    case .empty: "\(subject) is empty; copy it again or choose another sound"
    case .notSound:
      "\(subject) is no sound that can be read; \(Self.formats) can, so convert it to one of them"
    case .noSamples: "\(subject) has a header but no sound in it; copy it again or choose another"
    case .rate(let rate):
      "\(subject) has \(rate) frames a second, and only \(SoundFile.rates.lowerBound) to "
        + "\(SoundFile.rates.upperBound) can be played; convert it"
    case .channels(let count): "\(subject) has \(count) channels; convert it to one or two"
    case .tooSlow:
      "\(subject) was not read in time; see whether its disk or network is there"
    case .isStream, .badURL, .badProgram, .program, .streamFailed, .streamEnded, .streamSilent,
      .stopped:
      stream
    }
  }

  private var looked: String {
    places.isEmpty ? "anywhere" : "in " + places.joined(separator: ", ")
  }

  private func unreadable(_ number: CInt) -> String {
    switch number {
    case ENOENT, ENOTDIR:
      "\(subject) is not there; see whether its disk is mounted, or choose another sound"
    case EACCES, EPERM:
      "\(subject) may not be read by this user; change its permissions or those of its folder"
    default: "\(subject) cannot be read: \(Self.text(number)); see to its disk"
    }
  }

  private var stream: String {
    switch code {
    case .badURL: "\(subject) is no URL that can be played; it must begin with http:// or https://"
    case .isStream: "\(subject) is a stream, which cannot be read ahead"
    case .badProgram:
      "the decoder \(subject) cannot be used: name a program and, in its arguments, {url}"
    case .program(let name, ENOENT):
      "the decoder \(name) for \(subject) is not installed; install it or name another"
    case .program(let name, let number):
      "the decoder \(name) for \(subject) cannot be started: \(Self.text(number))"
    case .streamFailed(let name, let status, let said):
      "the decoder \(name) for \(subject) "
        + (status < 0 ? "was ended by signal \(-status)" : "failed with status \(status)")
        + (said.isEmpty ? "" : ": \(said)")
    case .streamEnded: "the stream \(subject) has ended"
    case .streamSilent:
      "nothing comes from the stream \(subject); see whether its server is up and reachable"
    case .stopped: "the stream \(subject) was stopped"
    default: subject
    }
  }

  private static func text(_ number: CInt) -> String { String(cString: strerror(number)) }
}
