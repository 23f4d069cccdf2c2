import CALSA
import Glibc
import SinkKit
import Synchronization

/// The machine's devices, through libasound; used by the sink's thread.
final class ALSACards: SoundCards {
  /// How long the end of the sink waits for devices to close.
  private static let patience = Duration.milliseconds(700)

  private let host: SinkHost
  private var mailbox: SinkMailbox<ALSACards>?
  private var threads: [String: SerialThread] = [:]
  private var answers: [Int: (Result<any PCM, ALSAError>) -> Void] = [:]
  private var lastAnswer = 0
  private let unfinished = Unfinished()
  private var openCount = 0
  private var isResting = false
  private var cardWatch: CardWatch?

  init(host: SinkHost) {
    self.host = host
    calsa_silence()
  }

  func open(
    _ device: String,
    _ format: PCMFormat,
    _ body: @escaping (Result<any PCM, ALSAError>) -> Void
  ) {
    isResting = false
    let counted: (Result<any PCM, ALSAError>) -> Void = { [unowned self] result in
      if case .success = result { openCount += 1 }
      body(result)
    }
    run(on: device, counted) {
      do throws(ALSAError) { return .success(try Self.open(device, format)) } catch {
        return .failure(error)
      }
    }
  }

  /// Opens a device on the thread that may block; one that cannot play the format, with conversion.
  private static func open(_ device: String, _ format: PCMFormat) throws(ALSAError) -> ALSAPCM {
    let name = DeviceNames.opened(device)
    do throws(ALSAError) { return try open(name, as: device, format) } catch {
      guard error.code == EINVAL else { throw error }
      let plug = try? open(DeviceNames.converting(name), as: device, format)
      guard let plug else { throw error }
      return plug
    }
  }

  private static func open(
    _ name: String,
    as device: String,
    _ format: PCMFormat
  ) throws(ALSAError) -> ALSAPCM {
    let pcm = try ALSAPCM(opening: name, as: device)
    do throws(ALSAError) { try pcm.configure(format) } catch {
      pcm.close()
      throw error
    }
    return pcm
  }

  func configure(_ pcm: any PCM, _ format: PCMFormat, _ body: @escaping (ALSAError?) -> Void) {
    guard let pcm = pcm as? ALSAPCM else { return }
    run(on: pcm.device, { if case .failure(let error) = $0 { body(error) } else { body(nil) } }) {
      do throws(ALSAError) {
        try pcm.configure(format)
        return .success(pcm)
      } catch { return .failure(error) }
    }
  }

  func close(_ pcm: any PCM) {
    guard let pcm = pcm as? ALSAPCM else { return }
    pcm.unwatch()
    openCount -= 1
    run(on: pcm.device, { _ in }) {
      pcm.close()
      return .success(pcm)
    }
  }

  func watchCards(_ body: @escaping () -> Void) {
    if cardWatch == nil { cardWatch = CardWatch(host: host, body) }
  }

  func unwatchCards() {
    cardWatch?.end()
    cardWatch = nil
  }

  func finish() {
    answers = [:]
    unwatchCards()
    unfinished.wait(atMost: Self.patience)
  }

  // MARK: Threads

  private func run(
    on device: String,
    _ body: @escaping (Result<any PCM, ALSAError>) -> Void,
    _ call: @escaping @Sendable () -> Result<ALSAPCM, ALSAError>
  ) {
    let mailbox = mailbox ?? host.mailbox(for: self)
    self.mailbox = mailbox
    lastAnswer += 1
    let number = lastAnswer
    answers[number] = body
    let thread = threads[device] ?? SerialThread()
    threads[device] = thread
    unfinished.begin()
    thread.run { [unfinished] in
      let result = call()
      unfinished.end()
      mailbox.perform { $0.answer(number, result) }
    }
  }

  private func answer(_ number: Int, _ result: Result<ALSAPCM, ALSAError>) {
    answers.removeValue(forKey: number)?(result.map { $0 })
    giveBack()
  }

  func rest() {
    isResting = true
    giveBack()
  }

  /// Once all is closed: lets go of what the library keeps of its configuration.
  private func giveBack() {
    guard isResting, answers.isEmpty, openCount == 0 else { return }
    snd_config_update_free_global()
    malloc_trim(0)
  }
}
