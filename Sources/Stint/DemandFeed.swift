import StintBus
import StintModel
import StintUnits

/// The events of one demand in order: the batches of its channel, changes of its status, and losses.
///
/// The feed has one reader at a time. It may be used from any thread.
final class DemandFeed: Sendable {
  enum Element {
    case batch(Batch)
    case status(DemandStatus)
    case lost(samples: Int)
    /// The demand has ended.
    case end
  }

  /// A change of the status that the reader has not read yet.
  private struct StatusChange {
    /// The number of batches that come before the status.
    var after: Int
    var status: DemandStatus
  }

  private struct State {
    var status: DemandStatus?
    var statusChanges: [StatusChange] = []
    /// True after the reader got a status. The first event is a status, so that the reader knows why samples
    /// are lost or missing.
    var hasReportedStatus = false
    /// The number of lost samples that were reported to the reader.
    var reportedLost = 0
    /// The number of the reader that uses the feed; nil when no reader uses the feed.
    var reader: UInt64?
    var isReading = false

    /// Gives the feed to a reader. Returns false when another reader uses the feed, or when a read of another
    /// task has not ended.
    mutating func claim(_ reader: UInt64) -> Bool {
      guard !isReading, self.reader == nil || self.reader == reader else { return false }
      self.reader = reader
      return true
    }

    /// Returns the loss or the status change that comes before the next batch; nil when there is no such
    /// event.
    mutating func nextLossOrStatus(_ counts: ChannelCounts) -> Element? {
      let lost = counts.overflowed.samples - reportedLost
      let isStatusNext = (statusChanges.first?.after).map { $0 <= counts.gone } ?? false
      if lost > 0, hasReportedStatus || !isStatusNext {
        reportedLost += lost
        return .lost(samples: lost)
      }
      guard isStatusNext else { return nil }
      hasReportedStatus = true
      return .status(statusChanges.removeFirst().status)
    }
  }

  /// The channel that the host fills.
  let channel: BatchChannel
  private let stream: BatchStream
  private let state = Locked(State())

  /// Creates a feed. `onWait` is called when the reader begins to wait.
  init(onWait: @escaping @Sendable () -> Void) {
    channel = BatchChannel(.dropOldest(capacity: 1024), onAwait: onWait)
    stream = channel.stream()
  }

  /// The current status; nil before the first grant.
  var status: DemandStatus? { state.withLock { $0.status } }

  // MARK: Called by the bus

  /// Adds a change of the status after the batches that the channel has accepted until now.
  func note(_ status: DemandStatus) {
    state.withLock { state in
      guard status != state.status else { return }
      state.status = status
      let counts = channel.counts
      if state.statusChanges.last?.after == counts.accepted.batches { state.statusChanges.removeLast() }
      state.statusChanges.append(StatusChange(after: counts.accepted.batches, status: status))
      // The reader needs only the last status before its next batch.
      while state.statusChanges.count > 1, state.statusChanges[1].after <= counts.gone {
        state.statusChanges.removeFirst()
      }
    }
    channel.interrupt()
  }

  // MARK: Called by the reader

  /// Claims the feed for a read. Returns false when another reader uses the feed, or when a read of another
  /// task has not ended.
  func begin(_ reader: UInt64) -> Bool {
    state.withLock { state in
      guard state.claim(reader) else { return false }
      state.isReading = true
      return true
    }
  }

  /// Waits for the next event. Ends the read that `begin` began.
  func next(isolation: isolated (any Actor)?) async throws(Problem) -> Element {
    defer { endRead() }
    var reader = stream.makeAsyncIterator()
    while true {
      if let element = nextLossOrStatus() { return element }
      if let element = Self.element(try await reader.nextStep(isolation: isolation)) { return element }
    }
  }

  /// Returns the next event without waiting, which is cheaper than `begin` and `next`. Nil when `next` would
  /// wait, and when `begin` would return false.
  func poll(_ reader: UInt64) throws(Problem) -> Element? {
    // The lock is held during the read, so that no other task begins to wait in the channel.
    try state.withLock { state throws(Problem) in
      guard state.claim(reader) else { return nil }
      if let element = state.nextLossOrStatus(channel.counts) { return element }
      var iterator = stream.makeAsyncIterator()
      return try iterator.poll().flatMap(Self.element)
    }
  }

  private func endRead() { state.withLock { $0.isReading = false } }

  /// Returns the event of a step; nil after an interruption.
  private static func element(_ step: StreamStep) -> Element? {
    switch step {
    case .batch(let batch): .batch(batch)
    case .interrupted: nil
    case .end: .end
    }
  }

  private func nextLossOrStatus() -> Element? {
    let counts = channel.counts
    return state.withLock { $0.nextLossOrStatus(counts) }
  }

  /// Frees the feed for another reader.
  func removeReader(_ reader: UInt64) {
    state.withLock { state in if state.reader == reader { state.reader = nil } }
  }
}

extension ChannelCounts {
  /// The number of batches that are no longer queued.
  fileprivate var gone: Int { delivered.batches + overflowed.batches + discarded.batches }
}
