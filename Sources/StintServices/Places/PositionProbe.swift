import StintModel
import StintUnits

/// One look at where the phone is: a demand that ends with the first position that comes.
struct PositionProbe: Sendable {
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
    let wants = DemandSettings(accuracy: accuracy, background: true, pausing: false)
    demand = outbox.raise(device, wants)
    deadline = context.instant + Self.patience
  }

  /// What the event says about it; nil when it goes on.
  func result(
    of event: ServiceEvent, _ order: inout FixSequencer, _ context: ServiceContext
  ) -> Result? {
    switch event {
    case .batch(let batch, demand):
      // What a device held for others tells where the phone was: it is no crossing and no stay.
      let fixes = order.accept(batch, at: context.instant).filter {
        $0.isCurrent(at: context.instant, maxAge: LocationDefaults.maxAge)
      }
      return fixes.isEmpty ? nil : .fixes(fixes)
    case .granted(demand, let grant):
      switch grant.status {
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

/// Puts fixes in the order in which they were determined: inside a batch by sorting, across batches by leaving out
/// what is not newer than what was handed over before. A fix from the future is left out too: believed, it would
/// shadow all that come until then.
struct FixSequencer: Hashable, Sendable {
  private struct Stamp: Hashable, Comparable {
    var instant: Instant
    var sequence: UInt64

    init(_ fix: PositionFix) {
      instant = fix.determined
      sequence = fix.sequence
    }

    static func < (left: Stamp, right: Stamp) -> Bool {
      (left.instant, left.sequence) < (right.instant, right.sequence)
    }
  }

  private var newest: Stamp?
  /// How many fixes came too late to be handed over, or were no positions at all.
  private(set) var refused = 0

  /// The fixes of a batch that are new, oldest first; may be empty.
  mutating func accept(_ batch: Batch, at now: Instant) -> [PositionFix] {
    var fixes = batch.samples.compactMap { PositionFix($0, of: batch.device) }
    refused += batch.samples.count - fixes.count
    fixes.sort { Stamp($0) < Stamp($1) }
    var taken: [PositionFix] = []
    for fix in fixes {
      guard fix.determined <= now, newest.map({ $0 < Stamp(fix) }) ?? true else {
        refused += 1
        continue
      }
      newest = Stamp(fix)
      taken.append(fix)
    }
    return taken
  }
}

/// Limits the notices of failures with one cause to one in five minutes.
struct FailureLimit: Sendable {
  /// The shortest time between two notices of one cause.
  static let pause = TimeSpan.minutes(5)

  private var reported: [String: Instant] = [:]

  /// Whether a failure with this cause may be reported now; then it counts as reported.
  mutating func admits(_ cause: String, at instant: Instant) -> Bool {
    if let last = reported[cause], instant - last < Self.pause { return false }
    reported[cause] = instant
    return true
  }

  /// When a reported cause may be reported again; nil when it never was.
  func next(_ cause: String) -> Instant? { reported[cause].map { $0 + Self.pause } }
}

extension Service {
  /// Tells the user, once, when what the service needs was taken away; the board ends it and tells the client.
  func notifyDenial(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .authorization(let now) = event, now < needs else { return }
    outbox.notifyUser("“\(context.id.client)” may no longer follow where you are; what needs it is off")
  }
}
