import StintModel
public import StintUnits

/// The reading side of one subscription. All iterators of a subscription share it.
///
/// The subscription ends when the reader is released, or when the reading task is cancelled.
public final class UntypedReader: Sendable {
  private typealias Delivery = ChannelStateMachine<UntypedMessage>.Delivery

  private let lease: ConsumerLease<UntypedMessage>
  /// True while a task waits for the next message.
  private let isWaiting = Locked(false)

  init(lease: ConsumerLease<UntypedMessage>) { self.lease = lease }

  /// The number of messages that were dropped because the subscriber read too slowly.
  public var lost: Int { lease.storage.counts.overflowed.batches }

  /// Returns a queued message without waiting. Returns nil when no message is queued, while another task
  /// waits, after the end of the topic, and when the task is cancelled.
  ///
  /// - Throws: the problem that ended the topic, once.
  public func poll() throws(Problem) -> UntypedMessage? {
    guard !Task.isCancelled else { return nil }
    if let message = lease.storage.readQueued() { return message }
    // While another task waits, no message is queued.
    guard let delivery = lease.storage.pollUnlessAwaited() else { return nil }
    return try Self.message(delivery)
  }

  /// Waits for the next message. Returns nil when the task is cancelled, and after a problem was thrown.
  ///
  /// - Throws: the problem that ended the topic, once; a problem with the code `has-reader` while another
  ///   task waits.
  public func next(isolation actor: isolated (any Actor)?) async throws(Problem) -> UntypedMessage? {
    let isFree = isWaiting.withLock { isWaiting in
      defer { isWaiting = true }
      return !isWaiting
    }
    guard isFree else {
      throw Problem(
        Problem.Code("has-reader"), cause: "another task reads these messages",
        remedy: "subscribe once for each task")
    }
    defer { isWaiting.withLock { $0 = false } }
    var delivery = Task.isCancelled ? nil : lease.storage.poll()
    while delivery == nil { delivery = await lease.storage.wait(isolation: actor) }
    guard let delivery else { return nil }
    return try Self.message(delivery)
  }

  private static func message(_ delivery: Delivery) throws(Problem) -> UntypedMessage? {
    switch delivery {
    case .element(let message): message
    case .failure(let failure): throw failure
    case .end: nil
    }
  }
}
