@testable import StintBus

/// Checks the guarantees of a channel from its observations and its counts. A channel keeps the order,
/// respects its capacity, counts losses, and resumes each waiting task exactly once.
struct ChannelPromises {
  let capacity: Int
  private(set) var isBroken = false
  private var waiting: [Int] = []
  private var accepted = 0
  private var displaced = 0
  private var delivered: Int = 0
  private var lastDelivered = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Records an event and its observations. `number` identifies its task or batch.
  mutating func observe(_ event: ChannelEvent, number: Int, _ shown: [Observation]) {
    var hasReturned = false
    for observation in shown {
      switch observation {
      case .offered(let result):
        hasReturned = true
        if result == .accepted || result == .displaced { accepted += 1 }
        if result == .displaced { displaced += 1 }
      case .told(let task, let told):
        if task == number { hasReturned = true } else { resume(task) }
        if case .letter(let letter) = told { deliver(letter) }
      case .taken(let letters):
        hasReturned = true
        for letter in letters { deliver(letter) }
      case .ready, .ended: break
      }
    }
    if event == .next && !hasReturned { waiting.append(number) }
  }

  /// Returns true when all guarantees have held. When the channel has ended, no task may wait and no element
  /// may be queued.
  func hold(for counts: ChannelCounts, isOver: Bool) -> Bool {
    let buffered = accepted - delivered - counts.overflowed.batches - counts.discarded.batches
    return !isBroken && (0...capacity).contains(buffered) && accepted == counts.accepted.batches
      && delivered == counts.delivered.batches && displaced == counts.overflowed.batches
      && !(isOver && (buffered > 0 || !waiting.isEmpty))
  }

  private mutating func resume(_ task: Int) {
    guard let index = waiting.firstIndex(of: task) else {
      isBroken = true
      return
    }
    waiting.remove(at: index)
  }

  private mutating func deliver(_ letter: Letter) {
    if letter.number <= lastDelivered { isBroken = true }
    lastDelivered = letter.number
    delivered += 1
  }
}
