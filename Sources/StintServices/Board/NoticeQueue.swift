import StintModel

/// A bounded queue of the notices that wait for a client, oldest first.
///
/// A full queue drops its oldest notice that does not promise persistence. When all notices promise
/// persistence, the queue drops the oldest notice. The queue counts dropped notices. The client gets the
/// number of dropped notices before the remaining notices.
struct NoticeQueue: Sendable {
  struct Entry: Sendable {
    let id: ServiceID
    let notice: any ServiceNotice
  }

  /// The largest number of notices that may wait for one client.
  static let capacity = 1024

  private(set) var entries: [Entry] = []
  /// The number of dropped notices and the cause; nil when no notice was dropped.
  private(set) var loss: NoticeLoss?

  /// Appends a notice.
  ///
  /// - Returns: the notice that was dropped to make space; nil when the queue was not full.
  mutating func append(_ id: ServiceID, _ notice: any ServiceNotice) -> Entry? {
    entries.append(Entry(id: id, notice: notice))
    guard entries.count > Self.capacity else { return nil }
    let place = entries.firstIndex { !$0.notice.promisesPersistence } ?? 0
    let lost = entries.remove(at: place)
    lose(NoticeLoss(lost.id, 1, "more than \(Self.capacity) waited"))
    return lost
  }

  /// Adds dropped notices to the loss.
  mutating func lose(_ more: NoticeLoss) { loss = loss.map { $0 + more } ?? more }

  mutating func remove(_ id: ServiceID) -> [Entry] {
    let removed = entries.filter { $0.id == id }
    entries.removeAll { $0.id == id }
    return removed
  }

  /// Drops old notices because memory is low. The newest `count` notices stay. Notices with a `consequence`,
  /// for example about a fetched file, stay as well.
  ///
  /// - Returns: the number of dropped notices.
  mutating func keepNewest(_ count: Int) -> Int {
    let surplus = entries.count - count
    guard surplus > 0, let first = entries.first?.id else { return 0 }
    let kept = entries.prefix(surplus).filter { $0.notice.consequence != nil }
    entries = kept + entries.dropFirst(surplus)
    guard kept.count < surplus else { return 0 }
    lose(NoticeLoss(first, surplus - kept.count, "memory was low"))
    return surplus - kept.count
  }

  /// All waiting notices. When notices were dropped, a notice with their number comes first.
  var withLoss: [Entry] { (loss.map { [Entry(id: $0.id, notice: $0.notice)] } ?? []) + entries }
}

/// The number of a client's notices that were dropped before the client read them.
struct NoticeLoss: Codable, Sendable {
  private var client: String
  private var name: String
  private var count: Int
  private var cause: String

  /// - Parameters:
  ///   - id: the service whose notice was dropped first.
  ///   - cause: the reason why the notices were dropped, as the end of a sentence.
  init(_ id: ServiceID, _ count: Int, _ cause: String) {
    client = id.client.name
    name = id.name
    self.count = count
    self.cause = cause
  }

  /// The service whose client gets the notice.
  var id: ServiceID { ServiceID(ClientID(client), name) }

  var notice: ServiceFailure {
    ServiceFailure(
      .lost, "\(count == 1 ? "1 notice was" : "\(count) notices were") dropped because \(cause)")
  }

  static func + (old: Self, new: Self) -> Self {
    NoticeLoss(old.id, old.count.addingReportingOverflow(new.count).partialValue, new.cause)
  }
}
