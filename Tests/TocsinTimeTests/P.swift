import Testing
@testable import TocsinTime
@Test("placeholder") func placeholder() {}
