import Testing

@testable import DesktopSink
