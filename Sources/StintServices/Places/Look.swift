import StintModel
import StintUnits

/// One look at where the phone is: a demand that ends with the first position that comes.
struct Look: Sendable {
  /// How it ended.
  enum Result: Sendable {
    /// Positions came, oldest first, at least one.
    case fixes([PositionFix])
    /// Nothing came in time, or no device can.
    case failed(ServiceFailure)
    /// A rule of a policy forbids it; this is no failure.
    case forbidden
  }

  /// How long a position may take to come, a cold start of a receiver included.
  static let patience = TimeSpan.seconds(90)

  let device: DeviceID
  let demand: DemandID
  let deadline: Instant

  /// Demands one position.
  init(
    _ device: DeviceID, accuracy: Double?, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    self.device = device
    let wants = Wants(accuracy: accuracy, background: true, pausing: false)
    demand = outbox.raise(device, wants)
    deadline = context.instant + Self.patience
  }

  /// What the event says about it; nil when it goes on.
  func result(
    of event: ServiceEvent, _ order: inout FixOrder, _ context: ServiceContext
  ) -> Result? {
    switch event {
    case .batch(let batch, demand):
      // What a device held for others tells where the phone was: it is no crossing and no stay.
      let fixes = order.take(batch, at: context.instant).filter {
        $0.isCurrent(at: context.instant, maxAge: LocationDefaults.maxAge)
      }
      return fixes.isEmpty ? nil : .fixes(fixes)
    case .granted(demand, let grant):
      switch grant.standing {
      case .unavailable:
        return .failed(ServiceFailure(.unavailable, "no device can tell the position now; it tries again"))
      case .stopped, .paused, .deferred, .background: return .forbidden
      case .served: return nil
      }
    case .ended(demand): return .forbidden
    case .timer where context.instant >= deadline:
      return .failed(ServiceFailure(.timedOut, "\(device) told no position in time; it tries again"))
    default: return nil
    }
  }
}
