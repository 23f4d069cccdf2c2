import SinkKit

/// The section of plugins.conf.
struct DesktopSettings: Equatable {
  /// What a click on the pop-up's text means.
  enum ClickAnswer: String, CaseIterable { case none, snooze, stop }
  /// What it means that somebody closed the pop-up while the alarm rings.
  enum DismissAnswer: String, CaseIterable {
    case showAgain = "show-again"
    case nothing, snooze, stop
  }

  var click: ClickAnswer
  var dismiss: DismissAnswer
  var countdowns: Bool
  var icon: String

  init(_ settings: SinkSettings) {
    click = settings.word("default-action", default: .none)
    dismiss = settings.word("on-dismiss", default: .showAgain)
    countdowns = settings.flag("countdowns", default: true)
    icon = settings.string("icon", default: "alarm-symbolic")
  }
}
