/// What a test found missing or in its way, in a sentence.
package struct Failure: Error, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}

/// A fault must not hang the tests; what is right never waits so long.
package let patience = Duration.seconds(120)
