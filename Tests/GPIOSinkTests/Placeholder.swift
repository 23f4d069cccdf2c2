import Testing

@testable import GPIOSink
