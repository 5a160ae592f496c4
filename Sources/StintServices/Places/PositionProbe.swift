import StintModel
import StintUnits

/// One position probe: a demand that ends with the first position that arrives.
struct PositionProbe: Sendable {
  enum Result: Sendable {
    /// Positions arrived, oldest first, at least one.
    case fixes([Fix])
    /// No position arrived in time, or no device is available.
    case failed(ServiceFailure)
    /// The demand of the probe is not served, for example because a rule forbids it. This result is not
    /// a failure.
    case forbidden
  }

  /// The longest wait for a position, including a cold start of a receiver.
  static let timeout = TimeSpan.seconds(90)

  let device: DeviceID
  let demand: DemandID
  let deadline: Instant

  /// Raises a demand for one position. The probe fails when no position arrives within `timeout`.
  init(
    _ device: DeviceID, accuracy: Double?, timeout: TimeSpan = Self.timeout, _ context: ServiceContext,
    _ outbox: inout ServiceOutbox
  ) {
    self.device = device
    let wants = DemandSettings(accuracy: accuracy, background: true, pausing: false)
    demand = outbox.raise(device, wants)
    deadline = context.instant + timeout
  }

  /// Processes an event and returns the result; nil while the probe continues.
  func result(
    of event: ServiceEvent, _ order: inout FixSequencer, _ context: ServiceContext
  ) -> Result? {
    switch event {
    case .batch(let batch, demand):
      // Drop old samples, which the device held for other clients. They show earlier positions and must cause
      // no crossing and no visit.
      let fixes = order.accept(batch, at: context.instant).filter {
        $0.isFresh(at: context.instant, maxAge: LocationDefaults.maxAge.timeSpan)
      }
      return fixes.isEmpty ? nil : .fixes(fixes)
    case .granted(demand, let grant):
      switch grant.status {
      case .unavailable:
        return .failed(ServiceFailure(.unavailable, "no device can provide a position; retrying"))
      case .stopped, .paused, .deferred, .background: return .forbidden
      case .served: return nil
      }
    case .ended(demand): return .forbidden
    case .timer where context.instant >= deadline:
      return .failed(ServiceFailure(.timedOut, "\(device) provided no position in time; retrying"))
    default: return nil
    }
  }
}

/// A sequencer that orders fixes by the time of their measurement.
///
/// Fixes within a batch are sorted. Across batches, only fixes that are newer than the last accepted fix are
/// accepted. A fix from the future is dropped too, because it would hide all fixes until its instant.
struct FixSequencer: Hashable, Sendable {
  private struct Stamp: Hashable, Comparable {
    var instant: Instant
    var sequence: UInt64

    init(_ fix: Fix) {
      instant = fix.instant
      sequence = fix.sequence
    }

    static func < (left: Stamp, right: Stamp) -> Bool {
      (left.instant, left.sequence) < (right.instant, right.sequence)
    }
  }

  private var newest: Stamp?
  /// The number of fixes that were dropped: fixes out of order, from the future, or without a valid position.
  private(set) var refused = 0

  /// Returns the new fixes of a batch, oldest first; may be empty.
  mutating func accept(_ batch: Batch, at now: Instant) -> [Fix] {
    var fixes = batch.samples.compactMap { Fix(placeIn: $0, of: batch.device) }
    refused += batch.samples.count - fixes.count
    fixes.sort { Stamp($0) < Stamp($1) }
    var taken: [Fix] = []
    for fix in fixes {
      guard fix.instant <= now, newest.map({ $0 < Stamp(fix) }) ?? true else {
        refused += 1
        continue
      }
      newest = Stamp(fix)
      taken.append(fix)
    }
    return taken
  }
}

/// A limit for notices about failures: at most one notice for each cause within five minutes.
struct FailureLimit: Sendable {
  /// The shortest time between two notices of one cause.
  static let pause = TimeSpan.minutes(5)

  private var reported: [String: Instant] = [:]

  /// Returns whether a failure of this cause may be reported now. When true, the failure counts as reported.
  mutating func admits(_ cause: String, at instant: Instant) -> Bool {
    if let last = reported[cause], instant - last < Self.pause { return false }
    reported[cause] = instant
    return true
  }

  /// Returns the instant from which a cause may be reported again; nil when it was never reported.
  func next(_ cause: String) -> Instant? { reported[cause].map { $0 + Self.pause } }
}

extension Service {
  /// Notifies the user once when the needed permission was withdrawn. The board ends the service and notifies
  /// the client.
  func notifyDenial(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .permissions(let now) = event, !now.allow(need(context.roles)) else { return }
    outbox.notifyUser("“\(context.id.client)” may no longer use your position; services that need it are off")
  }
}
