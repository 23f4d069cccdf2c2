import CALSA

/// A card of the machine.
enum ALSACard {
  /// The id of a card with this number, such as `Headphones`; nil if there is none.
  static func id(ofCard number: CInt) -> String? {
    var handle: OpaquePointer?
    guard snd_ctl_open(&handle, "hw:\(number)", CInt(SND_CTL_NONBLOCK)) == 0, let handle else {
      return nil
    }
    defer { snd_ctl_close(handle) }
    var info: OpaquePointer?
    guard snd_ctl_card_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_ctl_card_info_free(info) }
    guard snd_ctl_card_info(handle, info) == 0 else { return nil }
    return snd_ctl_card_info_get_id(info).map { String(cString: $0) }
  }
}
