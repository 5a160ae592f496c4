/// The notices that wait for a client, oldest first, with a bound.
///
/// A full queue drops its oldest notice that promises nothing, or its oldest one where each promises something, and
/// counts it. The client hears how many were dropped, in front of the rest.
struct NoticeQueue: Sendable {
  struct Entry: Sendable {
    let id: ServiceID
    let notice: any ServiceNotice
  }

  /// How many notices may wait for one client.
  static let capacity = 1024

  private(set) var entries: [Entry] = []
  /// How many notices were dropped since the queue was made, because it was full or memory was short.
  private(set) var dropped = 0
  private var cause = ""

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a notice.
  ///
  /// - Returns: the notice that was dropped for it; nil where there was room.
  mutating func append(_ id: ServiceID, _ notice: any ServiceNotice) -> Entry? {
    entries.append(Entry(id: id, notice: notice))
    guard entries.count > Self.capacity else { return nil }
    let place = entries.firstIndex { !$0.notice.promisesKeeping } ?? 0
    dropped += 1
    cause = "more than \(Self.capacity) waited"
    return entries.remove(at: place)
  }

  /// Drops all but the newest notices, because memory is short. A notice with a file behind it stays.
  ///
  /// - Returns: how many were dropped.
  mutating func keepNewest(_ count: Int) -> Int {
    let surplus = entries.count - count
    guard surplus > 0 else { return 0 }
    let kept = entries.prefix(surplus).filter { $0.notice.consequence != nil }
    entries = kept + entries.dropFirst(surplus)
    guard kept.count < surplus else { return 0 }
    dropped += surplus - kept.count
    cause = "memory was short"
    return surplus - kept.count
  }

  /// All that waits, with what was dropped in front.
  var withLoss: [Entry] {
    guard dropped > 0, let first = entries.first else { return entries }
    let loss = ServiceFailure(.lost, "\(dropped) notices were dropped because \(cause)")
    return [Entry(id: first.id, notice: loss)] + entries
  }
}
