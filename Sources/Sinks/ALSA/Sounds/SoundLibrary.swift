package import SinkKit

/// Sounds that are decoded before they are needed, so that an alarm needs no disk to be heard.
///
/// What was prepared is kept: a file that is deleted, or whose disk is gone, can still be played.
/// What is released stays until the memory is wanted for others. Finding and decoding happen on
/// threads of its own; all else, and every call, on the sink's thread. No timers run unless a file
/// is just being read.
package final class SoundLibrary {
  /// Whether a choice can be played.
  package enum State: Hashable, Sendable {
    /// It is being found and decoded.
    case loading
    /// It can be played.
    case ready(Sound)
    /// It cannot be played; the next `prepare` tries again.
    case failed(SoundError)
  }

  fileprivate struct Entry {
    var state = State.loading
    var origin: SoundOrigin?
    /// Why the file could not be read anew, while what was read before can still be played.
    var problem: SoundError?
    /// The job that reads it.
    var job: Int?
    /// When the job began to run, in elapsed time; nil while it waits for others.
    var began: Duration?
    /// How often the job was found waiting when its time was over.
    var delays = 0
    /// Runs until the job has lasted too long.
    var patience: SinkHost.Token?
    var isWanted = true
    var lastUse = 0

    var size: Int { if case .ready(let sound) = state { sound.size } else { 0 } }
  }

  /// Called when a choice has become ready or failed; not when one sound takes another's place.
  package var onChange: ((SoundChoice) -> Void)?

  private static let silence = Sound(
    rate: 48_000,
    channels: 1,
    samples: [Int16](repeating: 0, count: 48_000)
  )

  private let host: SinkHost
  private let reader: any SoundReader
  private let patience: Duration
  private let limit: Int
  private let threads = DecodingThreads()
  private var entries: [SoundChoice: Entry] = [:]
  private var lastJob = 0
  private var uses = 0
  private lazy var mailbox = host.mailbox(for: self)

  /// Makes a library that reads nothing yet.
  ///
  /// - Parameters:
  ///   - host: the sink's host.
  ///   - environment: where sounds are looked for; see `SoundFinder`.
  ///   - theme: the sound theme's internal name.
  ///   - patience: how long a file may take to be read.
  ///   - limit: bytes that sounds take together. One that is larger is kept while it is in use.
  package convenience init(
    host: SinkHost,
    environment: [String: String],
    theme: String = "freedesktop",
    patience: Duration = .seconds(5),
    limit: Int = 64 * 1_024 * 1_024
  ) {
    let finder = SoundFinder(environment: environment, theme: theme)
    self.init(host: host, reader: DiskSoundReader(finder: finder), patience: patience, limit: limit)
  }

  /// Makes a library on another reader.
  package init(
    host: SinkHost,
    reader: any SoundReader,
    patience: Duration = .seconds(5),
    limit: Int = 64 * 1_024 * 1_024
  ) {
    self.host = host
    self.reader = reader
    self.patience = patience
    self.limit = limit
  }

  /// Begins to decode what may be wanted soon and keeps it.
  ///
  /// What is in memory is compared with the disk and decoded anew if it changed there; until that
  /// is done the old sound is ready. What failed before is tried again.
  package func prepare(_ choice: SoundChoice) {
    guard isRead(choice) else { return }
    uses += 1
    var entry = entries[choice] ?? Entry()
    entry.isWanted = true
    entry.lastUse = uses
    entries[choice] = entry
    // Of a folder one is ready until it was played.
    if entry.origin?.folder == nil { read(choice) }
  }

  /// Whether a choice can be played; prepares it if nobody did.
  package func state(of choice: SoundChoice) -> State {
    switch choice {
    case .none: return .ready(Self.silence)
    case .tone: return .ready(Tone.sound)
    case .stream(let url): return .failed(SoundError(.isStream, url))
    case .theme, .name, .path: break
    }
    if entries[choice] == nil { prepare(choice) }
    uses += 1
    entries[choice]?.lastUse = uses
    return entries[choice]?.state ?? .loading
  }

  /// Why what is ready could not be read anew from the disk; nil if all is well.
  package func problem(of choice: SoundChoice) -> SoundError? { entries[choice]?.problem }

  /// Says that the sound was played: of a folder, another one is decoded for the next time.
  package func played(_ choice: SoundChoice) {
    if entries[choice]?.origin?.folder != nil { read(choice) }
  }

  /// Says that a choice is no longer wanted; it stays in memory as long as there is room.
  package func release(_ choice: SoundChoice) {
    entries[choice]?.isWanted = false
    makeRoom()
  }

  /// Bytes that the sounds take.
  var size: Int { entries.values.reduce(0) { $0 + $1.size } }

  /// Threads that are reading, those that were given up too.
  var threadCount: Int { threads.count }

  // MARK: Reading

  private func isRead(_ choice: SoundChoice) -> Bool {
    switch choice {
    case .none, .tone, .stream: false
    case .theme, .name, .path: true
    }
  }

  private func read(_ choice: SoundChoice) {
    guard var entry = entries[choice], entry.job == nil else { return }
    lastJob += 1
    let job = lastJob
    entry.job = job
    entry.began = nil
    entry.delays = 0
    if case .failed = entry.state { entry.state = .loading }
    entry.patience = wake(at: host.elapsed + patience, choice, job)
    entries[choice] = entry
    let known = entry.origin
    threads.run(job) { [reader, mailbox] in
      mailbox.perform { $0.began(choice, job) }
      let result: Result<ReadSound?, SoundError>
      do throws(SoundError) {
        result = .success(try reader.read(choice, known: known))
      } catch {
        result = .failure(error)
      }
      mailbox.perform { $0.take(result, choice, job) }
    }
  }

  private func take(_ result: Result<ReadSound?, SoundError>, _ choice: SoundChoice, _ job: Int) {
    guard var entry = entries[choice], entry.job == job else { return }
    entry.job = nil
    host.cancel(&entry.patience)
    switch result {
    case .success(nil): entry.problem = nil
    case .success(let read?):
      entry.state = .ready(read.sound)
      entry.origin = read.origin
      entry.problem = nil
    case .failure(let error): entry.fail(error)
    }
    set(entry, choice)
    makeRoom()
  }

  private func began(_ choice: SoundChoice, _ job: Int) {
    if entries[choice]?.job == job { entries[choice]?.began = host.elapsed }
  }

  private func wake(at deadline: Duration, _ choice: SoundChoice, _ job: Int) -> SinkHost.Token {
    host.wake(at: deadline) { [weak self] in self?.checkPatience(choice, job) }
  }

  /// Time counts from when the job began: those behind a hung one shall have theirs.
  private func checkPatience(_ choice: SoundChoice, _ job: Int) {
    guard var entry = entries[choice], entry.job == job else { return }
    let now = host.elapsed
    if let began = entry.began {
      guard now < began + patience else {
        // It goes on, and what comes of it is welcome when it comes.
        threads.abandon(job)
        return fail(entry, choice)
      }
      entry.patience = wake(at: began + patience, choice, job)
    } else {
      entry.delays += 1
      if entry.delays >= 3, threads.takeBack(job) {
        entry.job = nil
        return fail(entry, choice)
      }
      entry.patience = wake(at: now + patience, choice, job)
    }
    entries[choice] = entry
  }

  private func fail(_ entry: Entry, _ choice: SoundChoice) {
    var entry = entry
    entry.patience = nil
    entry.fail(SoundError(.tooSlow, choice.description))
    set(entry, choice)
  }

  private func set(_ entry: Entry, _ choice: SoundChoice) {
    let before = entries.updateValue(entry, forKey: choice)?.state
    let isNews =
      switch (before, entry.state) {
      case (.ready, .ready), (_, .loading): false
      default: before != entry.state
      }
    if isNews { onChange?(choice) }
  }

  // MARK: Memory

  /// Forgets what was not used for longest, first of what nobody wants, until the rest fits.
  private func makeRoom() {
    var size = self.size
    let order = entries.filter { $0.value.job == nil && $0.value.lastUse != uses }.sorted {
      ($0.value.isWanted ? 1 : 0, $0.value.lastUse) < ($1.value.isWanted ? 1 : 0, $1.value.lastUse)
    }
    for (choice, entry) in order {
      let isUseless = !entry.isWanted && entry.size == 0
      guard size > limit || isUseless else { continue }
      entries[choice] = nil
      size -= entry.size
    }
  }
}

extension SoundLibrary.Entry {
  fileprivate mutating func fail(_ error: SoundError) {
    if case .ready = state { problem = error } else { state = .failed(error) }
  }
}
