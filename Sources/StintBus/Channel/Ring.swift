/// A queue of fixed capacity that allocates once.
struct Ring<Element> {
  private var slots: [Element?]
  private var head = 0
  private(set) var count = 0

  /// - Precondition: the capacity is at least 1.
  init(capacity: Int) {
    precondition(capacity >= 1, "the capacity of a queue must be at least 1")
    slots = Array(repeating: nil, count: capacity)
  }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == slots.count }

  /// - Precondition: the queue is not full.
  mutating func append(_ element: consuming Element) {
    precondition(!isFull, "append to a full queue")
    var tail = head + count
    if tail >= slots.count { tail -= slots.count }
    slots[tail] = element
    count += 1
  }

  /// Removes and returns the oldest element. Returns nil when the queue is empty.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head += 1
    if head == slots.count { head = 0 }
    count -= 1
    return element
  }
}
