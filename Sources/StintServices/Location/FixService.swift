import StintModel
import StintUnits

/// Waits for one fix that is good enough.
struct FixService: Service {
  private let request: FixRequest
  private var deadline = Instant.distantFuture
  private var askedAt = Instant.epoch
  private var ladder: PositioningLadder
  private var demand: DemandID?
  private var best: LocationFix?

  init(_ request: FixRequest) {
    self.request = request
    ladder = PositioningLadder(request.accuracy ?? LocationDefaults.accuracy.metres)
  }

  var nextTimer: Instant { deadline }
  var devices: [DeviceID] { PositioningLadder.devices }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if request.background, !context.client.mayBackground {
      outbox.tell(ServiceFailure.lacksBackground(context.client.id))
      outbox.finish()
      return
    }
    askedAt = context.instant
    deadline = context.instant + request.timeout
    if context.client.authorization > .undecided { raise(context, &outbox) }
  }

  mutating func take(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch(let batch, demand):
      for fix in LocationFix.fixes(in: batch, askedAt: askedAt) where !consider(fix, context, &outbox) {
        return
      }
    case .authorization(let authorization):
      if authorization > .undecided, demand == nil {
        raise(context, &outbox)
      } else if authorization == .undecided, let demand {
        outbox.release(demand)
        self.demand = nil
      }
    case .device(let device, .fault(let text)) where device == ladder.target(context):
      end(ServiceFailure(.failed, "“\(device)” has a fault: \(text)"), &outbox)
    case .timer: if context.instant >= deadline { end(timedOut(context), &outbox) }
    default: return
    }
  }

  private mutating func raise(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let old = demand
    // A one-shot is no stream that could be paused: its time is bounded as it is.
    let wants = Wants(accuracy: ladder.metres, background: request.background, pausing: false)
    demand = outbox.raise(ladder.target(context), wants)
    if let old { outbox.release(old) }
  }

  /// Whether it goes on.
  private mutating func consider(
    _ fix: LocationFix, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool {
    // What was taken before it was asked for answers an older question.
    guard !fix.isCached else { return true }
    if fix.accuracy < best?.accuracy ?? .infinity { best = fix }
    if ladder.isGood(fix.accuracy) {
      outbox.tell(LocationNotice.answer(fix))
      outbox.finish()
      deadline = .distantFuture
      return false
    }
    if ladder.climb() { raise(context, &outbox) }
    return true
  }

  private func timedOut(_ context: ServiceContext) -> ServiceFailure {
    if context.client.authorization <= .undecided {
      return ServiceFailure(.undecided, "the user did not answer within \(request.timeout); ask again later")
    }
    let found = best.map { "the best was \(Quantity($0.accuracy, .length))" } ?? "there was none"
    return ServiceFailure(
      .timedOut, "no fix of \(Quantity(ladder.asked, .length)) within \(request.timeout); \(found)")
  }

  private mutating func end(_ failure: ServiceFailure, _ outbox: inout ServiceOutbox) {
    deadline = .distantFuture
    outbox.tell(LocationNotice.unanswered(failure, best: best))
    outbox.finish()
  }
}

extension ServiceFailure {
  /// A client wants to go on in the background and was not built for it.
  static func lacksBackground(_ client: ClientID) -> ServiceFailure {
    ServiceFailure(
      .denied, "“\(client)” is not built to go on in the background; declare that, or leave the flag off")
  }
}
