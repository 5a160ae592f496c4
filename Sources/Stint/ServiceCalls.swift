import StintBus
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Distributes the effects of services to their readers, and ends each stream when its service ends.
final class ServiceCalls: HostObserver {
  private struct State {
    /// The boxes of running services, and of services that received a notice before they were requested.
    var boxes: [ServiceID: NoticeBox] = [:]
    /// The boxes of requests that the host has not answered yet.
    var prepared: [ServiceID: NoticeBox] = [:]
    /// The channels of demands, by the service that holds the demand.
    var channels: [ServiceID: BatchChannel] = [:]
    /// The reasons of refused requests, until their callers read them.
    var refusals: [ServiceID: ServiceFailure] = [:]
    var isClosed = false
  }

  private let state = Locked(State())
  private let onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)?
  private let onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)?
  private let onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)?

  init(
    onLaunch: (@Sendable (String, String) -> Void)?, onSentence: (@Sendable (String, String) -> Void)?,
    onOrder: (@Sendable (String, String, any ServiceOrder) -> Void)?
  ) {
    self.onOrder = onOrder
    self.onLaunch = onLaunch
    self.onSentence = onSentence
  }

  // MARK: Boxes of notices

  /// Returns a new box for a request that is about to be submitted.
  func prepare(_ id: ServiceID, maxAge: TimeSpan) -> NoticeBox {
    let box = NoticeBox()
    box.maxAge = maxAge
    state.withLock { $0.prepared[id] = box }
    return box
  }

  /// Returns the box of a submitted request: the existing box of its service, or else the prepared one.
  func box(_ id: ServiceID, preparedAs box: NoticeBox) -> NoticeBox {
    state.withLock { state in
      guard state.prepared[id] === box else { return box.take() }
      state.prepared[id] = nil
      let status = state.boxes[id] ?? box
      // Do not store the box of an ended service: only its reader needs it.
      if status.end == nil { state.boxes[id] = status }
      return status.take()
    }
  }

  /// Returns the box of a service, and creates it when it is missing. Returns nil after `close()`.
  func box(_ id: ServiceID) -> NoticeBox? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      let box = state.boxes[id] ?? NoticeBox()
      state.boxes[id] = box
      return box
    }
  }

  /// Returns the box of a service for a reader. For a service that does not run, the box holds the unread
  /// notices and has ended.
  func claimBox(_ id: ServiceID, isStanding: Bool) -> NoticeBox {
    state.withLock { state in
      let box = state.boxes[id] ?? NoticeBox()
      if state.isClosed || !isStanding {
        state.boxes[id] = nil
        box.finish(state.isClosed ? .closed : .finished)
      } else {
        state.boxes[id] = box
      }
      return box.take()
    }
  }

  /// Ends the readers of a detached client. Unread notices are kept for its next process.
  func detach(_ client: ClientID) {
    state.withLock { state in
      for (id, box) in state.boxes where id.client == client {
        let unread = box.drainUnread()
        state.boxes[id] = nil
        guard !unread.isEmpty else { continue }
        let next = NoticeBox()
        for notice in unread { next.put(notice) }
        state.boxes[id] = next
      }
    }
  }

  // MARK: Channels of demands

  /// Registers the channel of a demand, by the service that holds the demand.
  func open(_ channel: BatchChannel, for id: ServiceID) { state.withLock { $0.channels[id] = channel } }

  /// Removes the channel of a demand.
  func closeChannel(of id: ServiceID) { state.withLock { $0.channels[id] = nil } }

  // MARK: Ends

  /// Returns the reason why the last request for this service was refused, and removes it. Nil when none was
  /// refused.
  func consumeRefusal(_ id: ServiceID) -> ServiceFailure? {
    state.withLock { $0.refusals.removeValue(forKey: id) }
  }

  /// Ends all streams and prevents new ones. Called when the host is closed.
  func close() {
    let (boxes, channels) = state.withLock { state in
      defer { state = State(isClosed: true) }
      return (Array(state.boxes.values) + Array(state.prepared.values), Array(state.channels.values))
    }
    for box in boxes { box.finish(.closed) }
    for channel in channels { channel.finish(throwing: Self.failure(.shutDown, "the bus was closed")) }
  }

  private func end(_ id: ServiceID, _ end: ServiceEnd) {
    let (box, channel) = state.withLock { state in
      (state.boxes[id], state.channels.removeValue(forKey: id))
    }
    box?.finish(end)
    // A box with notices that the client has not requested yet stays until the client requests them.
    if let box, box.isTaken || box.isEmpty { state.withLock { $0.boxes[id] = nil } }
    switch end {
    case .failed(let failure):
      channel?.revoke(throwing: Self.failure(ClientFailure.Code(failure.code.name), failure.sentence))
    case .detached:
      channel?.revoke(throwing: Self.failure(.detached, "“\(id.client)” left the bus; attach it again"))
    case .finished, .ended, .replaced, .closed: channel?.finish()
    }
  }

  private static func failure(_ code: ClientFailure.Code, _ sentence: String) -> ClientFailure {
    ClientFailure(code, device: "bus", cause: sentence, nextStep: "")
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    switch effect {
    case .accepted(let id):
      state.withLock { state in
        if let box = state.prepared[id], state.channels[id] == nil { state.boxes[id] = box }
      }
    case .notice(let id, let notice):
      // A demand gets its failure through its stream, so its notices are not needed.
      if state.withLock({ $0.channels[id] == nil }) { box(id)?.put(notice) }
    case .over(let id, let end): self.end(id, end)
    case .refused(let id, let failure): state.withLock { $0.refusals[id] = failure }
    case .order(let id, let order): onOrder?(id.client.name, id.name, order)
    case .launch(let client, let reason): onLaunch?(client.name, reason.name)
    case .notifyUser(let client, let sentence): onSentence?(client.name, sentence)
    case .raise, .release, .wake, .publish, .publishSignal, .setHasConsumer, .presence: break
    }
  }
}
