/// Actions with deadlines, in order of deadline. Actions with equal deadlines stay in the order of insertion.
struct TimerQueue {
  /// Identifies a timer within one queue. Ids are not reused.
  struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Entry {
    var deadline: MonotonicInstant
    var id: ID
    var action: @Sendable () -> Void
  }

  /// The timers in descending order of deadline, so that removing the earliest timer is cheap.
  private var entries: [Entry] = []
  private var nextNumber: UInt64 = 0

  var earliest: MonotonicInstant? { entries.last?.deadline }

  mutating func add(_ deadline: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ID {
    nextNumber += 1
    let id = ID(number: nextNumber)
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(deadline: deadline, id: id, action: action), at: low)
    return id
  }

  mutating func remove(_ id: ID) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries.remove(at: index) }
  }

  /// Removes and returns the actions whose deadline has passed, in order.
  mutating func removeExpired(at now: MonotonicInstant) -> [@Sendable () -> Void] {
    var due: [@Sendable () -> Void] = []
    while let last = entries.last, last.deadline <= now {
      due.append(last.action)
      entries.removeLast()
    }
    return due
  }
}
