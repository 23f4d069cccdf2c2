/// A binary heap of (deadline, slot) in which each slot stands at most once.
///
/// Setting, moving and removing a deadline cost O(log n), the earliest O(1), about 20 bytes a slot.
struct DeadlineHeap: Sendable {
  private struct Node {
    var key: Int64
    var slot: Int32
  }

  private var nodes: [Node] = []
  /// Where each slot stands in `nodes`; -1 if it has no deadline.
  private var positions: [Int32] = []

  /// The earliest deadline and whose it is.
  var first: (key: Int64, slot: Int32)? {
    nodes.first.map { ($0.key, $0.slot) }
  }

  var count: Int { nodes.count }

  mutating func reserve(_ slots: Int) {
    nodes.reserveCapacity(slots)
    positions.reserveCapacity(slots)
  }

  /// Gives a slot its deadline, or none.
  mutating func set(_ key: Int64?, for slot: Int32) {
    let index = Int(slot)
    if index >= positions.count {
      guard key != nil else { return }
      positions.append(contentsOf: repeatElement(-1, count: index + 1 - positions.count))
    }
    let position = Int(positions[index])
    guard let key else {
      if position >= 0 { remove(at: position) }
      return
    }
    if position < 0 {
      nodes.append(Node(key: key, slot: slot))
      positions[index] = Int32(nodes.count - 1)
      siftUp(nodes.count - 1)
    } else if nodes[position].key != key {
      nodes[position].key = key
      siftUp(position)
      siftDown(Int(positions[index]))
    }
  }

  private mutating func remove(at position: Int) {
    positions[Int(nodes[position].slot)] = -1
    let last = nodes.removeLast()
    guard position < nodes.count else { return }
    nodes[position] = last
    positions[Int(last.slot)] = Int32(position)
    siftUp(position)
    siftDown(Int(positions[Int(last.slot)]))
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    let node = nodes[child]
    while child > 0 {
      let parent = (child - 1) / 2
      guard node.key < nodes[parent].key else { break }
      place(nodes[parent], at: child)
      child = parent
    }
    place(node, at: child)
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    let node = nodes[parent]
    while true {
      var child = 2 * parent + 1
      guard child < nodes.count else { break }
      if child + 1 < nodes.count, nodes[child + 1].key < nodes[child].key { child += 1 }
      guard nodes[child].key < node.key else { break }
      place(nodes[child], at: parent)
      parent = child
    }
    place(node, at: parent)
  }

  private mutating func place(_ node: Node, at position: Int) {
    nodes[position] = node
    positions[Int(node.slot)] = Int32(position)
  }
}
