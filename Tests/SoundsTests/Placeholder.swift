import Testing

@testable import Sounds
