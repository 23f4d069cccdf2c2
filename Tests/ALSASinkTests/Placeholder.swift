import Testing

@testable import ALSASink
