import SinkKit

/// What the notification server answers and tells.
extension PopUps {
  /// Takes an event of the server.
  mutating func handle(_ event: ServerEvent, at moment: Moment) -> [Effect] {
    switch event {
    case .opened(let features): opened(features)
    case .unavailable(let reason): unavailable(reason, at: moment)
    case .shown(let handle): shown(handle, at: moment)
    case .refused(let handle, let reason): refused(handle, reason, at: moment)
    case .gone(let handle): gone(handle)
    case .came: if case .away = server { server = .untried }
    case .left: left(at: moment)
    case .closed(let handle, let reason): closed(handle, reason, at: moment)
    case .action(let handle, let key): pressed(handle, key, at: moment)
    }
    return decide(at: moment)
  }

  private func index(ofHandle handle: Int) -> Int? {
    entries.firstIndex { $0.handle == handle }
  }

  private mutating func opened(_ features: ServerFeatures) {
    outstanding = nil
    server = .open(features)
    if hasComplained { effects.append(.log(.info, "the notification server answers")) }
    hasComplained = false
  }

  private mutating func unavailable(_ reason: String, at moment: Moment) {
    if let key = outstanding?.key, case .show(let handle, _) = outstanding?.call,
      let index = entries.firstIndex(where: { $0.key == key && $0.handle == handle }),
      entries[index].shown == nil
    {
      // Made, and never confirmed.
      entries[index].lose()
    }
    outstanding = nil
    server = .away(reason: reason, retry: moment.elapsed + Self.retryInterval)
    fail(reason)
    // No warning: each event that is not shown is one already.
    if !hasComplained { effects.append(.log(.info, "\(reason); trying again")) }
    hasComplained = true
  }

  /// Reports everything that waits as failed for now.
  private mutating func fail(_ reason: String) {
    for index in entries.indices {
      for position in entries[index].receipts.indices
      where entries[index].receipts[position].deadline != nil {
        entries[index].receipts[position].deadline = nil
        effects.append(.failed(entries[index].receipts[position].seq, reason, retry: true))
      }
    }
  }

  private mutating func shown(_ handle: Int, at moment: Moment) {
    guard let answered = outstanding, case .show(handle, let popUp) = answered.call else { return }
    outstanding = nil
    guard let index = index(ofHandle: handle) else { return }
    entries[index].shown = popUp
    entries[index].shownSeq = answered.seq
    entries[index].shownAt = entries[index].shownAt ?? moment.elapsed
    confirmShown(index, upTo: answered.seq)
  }

  private mutating func confirmShown(_ index: Int, upTo seq: UInt64) {
    for receipt in entries[index].receipts where receipt.kind == .show && receipt.seq <= seq {
      effects.append(.presented(receipt.seq))
    }
    entries[index].receipts.removeAll { $0.kind == .show && $0.seq <= seq }
  }

  private mutating func refused(_ handle: Int, _ reason: String, at moment: Moment) {
    guard let answered = outstanding, case .show(handle, _) = answered.call else { return }
    outstanding = nil
    guard let index = index(ofHandle: handle) else { return }
    // What was shown before may still be there; only a new one is taken for not made.
    if entries[index].shown == nil { entries[index].handle = nil }
    entries[index].pause = moment.elapsed + Self.retryInterval
    for position in entries[index].receipts.indices
    where entries[index].receipts[position].deadline != nil
      && entries[index].receipts[position].kind == .show
    {
      entries[index].receipts[position].deadline = nil
      let seq = entries[index].receipts[position].seq
      effects.append(.failed(seq, "the notification server refused: \(reason)", retry: true))
    }
  }

  private mutating func gone(_ handle: Int) {
    outstanding = nil
    if let index = index(ofHandle: handle) { entries[index].lose() }
  }

  /// With the server went its pop-ups and what their ids meant; a new one begins to count anew.
  private mutating func left(at moment: Moment) {
    let reason = "the notification server has left the session bus"
    for index in entries.indices {
      let seq = entries[index].seq
      if entries[index].shown != nil, entries[index].presentation != nil,
        !entries[index].receipts.contains(where: { $0.seq == seq })
      {
        entries[index].receipts.append(PopUpEntry.Receipt(seq: seq, kind: .show, deadline: nil))
        effects.append(.failed(seq, reason, retry: true))
      }
      entries[index].lose()
      entries[index].shownAt = nil
    }
    guard case .open = server else { return }
    server = .away(reason: reason, retry: moment.elapsed + Self.retryInterval)
    if entries.contains(where: \.isWanted), !hasComplained {
      effects.append(.log(.warning, "\(reason); waiting for it"))
      hasComplained = true
    }
  }

  private mutating func closed(_ handle: Int, _ reason: CloseReason, at moment: Moment) {
    guard let index = index(ofHandle: handle) else { return }
    entries[index].lose()
    let lasted = moment.elapsed - (entries[index].shownAt ?? moment.elapsed)
    entries[index].shownAt = nil
    guard entries[index].isWanted else { return }
    if let pressed = entries[index].pressed, pressed > moment.elapsed {
      // Servers close what was pressed; it comes back if that changes nothing.
      entries[index].pause = entries[index].answered ?? moment.elapsed + Self.closePause
      return
    }
    guard entries[index].isRinging else {
      if entries[index].isNews { return entries[index].forgetShown() }
      entries[index].isHidden = true
      return
    }
    if lasted >= Self.lasting { entries[index].closePause = Self.closePause }
    let pause = entries[index].closePause
    guard reason == .dismissed else {
      entries[index].pause = moment.elapsed + pause
      entries[index].closePause = min(pause * 2, Self.retryInterval)
      return
    }
    switch settings.dismiss {
    case .nothing: entries[index].isHidden = true
    case .snooze where answer(index, .snooze, at: moment),
      .stop where answer(index, .stop, at: moment):
      entries[index].pause = entries[index].answered
    case .showAgain, .snooze, .stop:
      entries[index].pause = moment.elapsed + max(Self.dismissPause, pause)
    }
  }

  private mutating func pressed(_ handle: Int, _ key: String, at moment: Moment) {
    guard let index = index(ofHandle: handle), entries[index].presentation != nil else {
      return effects.append(.log(.debug, "a press on a pop-up that is over was ignored"))
    }
    guard key != PopUp.clickKey else {
      switch settings.click {
      case .none: entries[index].pressed = moment.elapsed + Self.closePause
      case .snooze: _ = answer(index, .snooze, at: moment)
      case .stop: _ = answer(index, .stop, at: moment)
      }
      return
    }
    guard let action = AlarmAction(rawValue: key), answer(index, action, at: moment) else {
      return effects.append(.log(.debug, "a press of \(key) was ignored"))
    }
  }

  /// Sends an answer for the occurrence; false if the alarm offers no such answer now, or has one.
  private mutating func answer(_ index: Int, _ action: AlarmAction, at moment: Moment) -> Bool {
    guard let presentation = entries[index].presentation,
      presentation.buttons.contains(where: { $0.role == action }),
      (entries[index].answered ?? .zero) <= moment.elapsed
    else { return false }
    entries[index].answered = moment.elapsed + Self.answerPause
    entries[index].pressed = entries[index].answered
    effects.append(.send(Intent(action, .occurrence(presentation.occurrence))))
    return true
  }
}
