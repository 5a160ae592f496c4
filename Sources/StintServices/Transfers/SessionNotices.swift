import StintModel
import StintUnits

/// The notices of a session of transfers. Notices wait while the client has not joined the session.
struct SessionNotices: Hashable, Sendable {
  /// The notices that wait for the client, oldest first.
  private var kept: [TransferNotice] = []
  /// The number of notices that were dropped since the client left, because too many waited. Only notices
  /// that do not promise persistence are dropped.
  private var dropped = 0
  /// The instant at which the client left; nil while the client has joined the session.
  private(set) var leftAt: Instant?
  /// Whether the client has joined the session: by creating it, or by requesting it again.
  private(set) var isJoined = false

  /// The largest number of waiting notices that do not promise persistence. Above this number, the oldest of
  /// these notices is dropped. Notices that promise persistence are never dropped.
  private static let maxKept = 1024

  /// Whether a decoded value is valid.
  var isValid: Bool { dropped >= 0 }

  /// The fetched files whose notices no client has received.
  var files: [String] {
    kept.compactMap { if case .finished(_, let file?) = $0 { file } else { nil } }
  }

  /// The client joins the session, and gets the waiting notices.
  mutating func join(_ outbox: inout ServiceOutbox) {
    isJoined = true
    leftAt = nil
    if dropped > 0 {
      let notices = dropped == 1 ? "1 notice was" : "\(dropped) notices were"
      outbox.notify(
        ServiceFailure(.lost, "\(notices) dropped because more than \(Self.maxKept) waited"))
    }
    dropped = 0
    for notice in kept { Self.deliver(notice, &outbox) }
    kept.removeAll()
  }

  /// Records that no client has joined the session: the client has left, or the session resumed after
  /// a restart.
  mutating func leave(at instant: Instant) {
    isJoined = false
    leftAt = instant
  }

  /// Notifies the client, or queues the notice until the client has joined the session.
  mutating func send(_ notice: TransferNotice, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard !context.client.isAttached || !isJoined else {
      Self.deliver(notice, &outbox)
      return
    }
    kept.append(notice)
    guard kept.count > Self.maxKept, kept.count(where: { !$0.promisesPersistence }) > Self.maxKept,
      let oldest = kept.firstIndex(where: { !$0.promisesPersistence })
    else { return }
    kept.remove(at: oldest)
    dropped += 1
  }

  private static func deliver(_ notice: TransferNotice, _ outbox: inout ServiceOutbox) {
    outbox.notify(notice)
    switch notice {
    case .reply: outbox.signal(.reply)
    case .finished(_, file: .some): outbox.signal(.fileReady)
    default: break
    }
  }
}

/// The members of a session's saved state that belong to the notices.
extension SessionNotices: Codable {
  enum CodingKeys: String, CodingKey {
    case kept, dropped
    case leftAt = "left_at"
  }
}
