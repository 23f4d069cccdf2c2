import ProcessTesting

extension SeededGenerator {
  mutating func seconds(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &self) }
}
