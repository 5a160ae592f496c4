import StintServices

/// A queue of notices. The removal of the oldest notice takes constant time on average.
struct NoticeQueue {
  /// The read notices, which are removed together later, and then the unread notices.
  private var items: [any ServiceNotice] = []
  private var readCount = 0

  /// While unread notices remain, at least this number of read notices must exist before they are removed.
  /// They must also be at least half of `items`. Each removal moves all unread notices, so read notices are
  /// removed together.
  private static let maxRead = 32

  /// The unread notices, oldest first.
  var unread: ArraySlice<any ServiceNotice> { items[readCount...] }

  var isEmpty: Bool { readCount == items.count }

  /// The number of unread notices.
  var count: Int { items.count - readCount }

  mutating func append(_ notice: any ServiceNotice) { items.append(notice) }

  /// Removes and returns the oldest notice. Returns nil when the queue is empty.
  mutating func popFirst() -> (any ServiceNotice)? {
    guard !isEmpty else { return nil }
    defer {
      readCount += 1
      if readCount == items.count || (readCount >= Self.maxRead && readCount * 2 >= items.count) {
        removeRead()
      }
    }
    return items[readCount]
  }

  /// Removes and returns the oldest notice for which `isDroppable` is true. Without such a notice, removes
  /// and returns the oldest notice.
  ///
  /// - Precondition: the queue is not empty.
  mutating func removeOldest(where isDroppable: (any ServiceNotice) -> Bool) -> any ServiceNotice {
    items.remove(at: unread.firstIndex(where: isDroppable) ?? readCount)
  }

  mutating func replace(_ change: (ArraySlice<any ServiceNotice>) -> [any ServiceNotice]) {
    items = change(unread)
    readCount = 0
  }

  /// Removes all notices and returns the unread notices.
  mutating func drain() -> [any ServiceNotice] {
    defer {
      items = []
      readCount = 0
    }
    return Array(unread)
  }

  private mutating func removeRead() {
    if readCount == items.count {
      items.removeAll(keepingCapacity: true)
    } else {
      items.removeFirst(readCount)
    }
    readCount = 0
  }
}
