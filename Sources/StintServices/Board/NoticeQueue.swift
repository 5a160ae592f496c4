import StintModel

/// A bounded queue of the notices that wait for a client, oldest first.
///
/// A full queue drops its oldest notice that does not promise persistence. When all notices promise
/// persistence, the queue drops the oldest notice. The queue counts dropped notices; the client gets this
/// number before the notices.
struct NoticeQueue: Sendable {
  struct Entry: Sendable {
    let id: ServiceID
    let notice: any ServiceNotice
  }

  /// The largest number of notices that may wait for one client.
  static let capacity = 1024

  private(set) var entries: [Entry] = []
  /// The number of notices dropped until now, because the queue was full or memory was low.
  private(set) var dropped = 0
  private var cause = ""

  var isEmpty: Bool { entries.isEmpty }

  /// Appends a notice.
  ///
  /// - Returns: the notice that was dropped to make space; nil when the queue was not full.
  mutating func append(_ id: ServiceID, _ notice: any ServiceNotice) -> Entry? {
    entries.append(Entry(id: id, notice: notice))
    guard entries.count > Self.capacity else { return nil }
    let place = entries.firstIndex { !$0.notice.promisesPersistence } ?? 0
    dropped += 1
    cause = "more than \(Self.capacity) waited"
    return entries.remove(at: place)
  }

  /// Drops old notices because memory is low. The newest `count` notices stay. Notices with a consequence,
  /// such as a file, stay as well.
  ///
  /// - Returns: the number of dropped notices.
  mutating func keepNewest(_ count: Int) -> Int {
    let surplus = entries.count - count
    guard surplus > 0 else { return 0 }
    let kept = entries.prefix(surplus).filter { $0.notice.consequence != nil }
    entries = kept + entries.dropFirst(surplus)
    guard kept.count < surplus else { return 0 }
    dropped += surplus - kept.count
    cause = "memory was low"
    return surplus - kept.count
  }

  /// All waiting notices. When notices were dropped, a notice with their number comes first.
  var withLoss: [Entry] {
    guard dropped > 0, let first = entries.first else { return entries }
    let loss = ServiceFailure(.lost, "\(dropped) notices were dropped because \(cause)")
    return [Entry(id: first.id, notice: loss)] + entries
  }
}
