public import StintModel
public import StintUnits

/// A service that measures the proximity of a beacon.
///
/// The service waits for the beacon with one scan every ten seconds, and then scans once per second while the
/// beacon is in range. Ten seconds after the last signal, it waits again.
public struct RangingService: Service {
  /// The period of scans while ranging.
  static let period = TimeSpan.seconds(1)
  /// How long ranging continues after the last signal. In the background, ranging also ends when it has
  /// lasted for this time.
  static let timeout = TimeSpan.seconds(10)
  /// The weight of a new signal in the smoothed signal.
  static let share = 0.4

  let region: BeaconRegion
  private var demand: DemandID?
  /// The scanner; nil when no device receives beacons.
  private var scanner: DeviceID?
  private var isRanging = false
  private var lastReceived = Instant.epoch
  private var signal: Double?
  private var proximity = Proximity.unknown
  /// The instant at which ranging began last.
  private var began = Instant.epoch
  /// True when the ranging time in the background is used up. In the background, ranging then starts again
  /// only when the beacon arrives again.
  private var isSpent = false

  init(_ region: BeaconRegion) { self.region = region }

  public func need(_ roles: DeviceRoles) -> PermissionNeed { .preciseLocation(.whenInUse) }
  public var role: DeviceRole? { .beacons }
  public var nextTimer: Instant { isRanging ? lastReceived + Self.timeout : .distantFuture }

  public mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    scanner = context.device(for: .beacons)
    startWaiting(&outbox)
    if context.fact(region.fact) == .boolean(true) { startRanging(context, &outbox) }
  }

  public mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch event {
    case .fact(region.fact, .boolean(let isInRange)):
      if !isInRange {
        isSpent = false
      } else if !isRanging, !isSpent || !context.isInBackground {
        startRanging(context, &outbox)
      }
      if isInRange { lastReceived = context.instant }
    case .batch(let batch, demand) where isRanging: handle(batch, context, &outbox)
    default: break
    }
    guard isRanging else { return }
    let isTooLong = context.isInBackground && context.instant - began >= Self.timeout
    if isTooLong || context.instant - lastReceived >= Self.timeout {
      isSpent = isTooLong
      outbox.notify(RangingNotice.ended)
      startWaiting(&outbox)
    }
  }

  private mutating func startWaiting(_ outbox: inout ServiceOutbox) {
    isRanging = false
    signal = nil
    proximity = .unknown
    if let demand { outbox.release(demand) }
    demand = scanner.map { scanner in
      outbox.raise(
        scanner,
        DemandSettings(period: BeaconsService.period, latency: .hours(1), background: true, pausing: false))
    }
  }

  private mutating func startRanging(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    isRanging = true
    began = context.instant
    lastReceived = context.instant
    if let demand { outbox.release(demand) }
    demand = scanner.map { scanner in
      outbox.raise(scanner, DemandSettings(period: Self.period, background: true, pausing: false))
    }
  }

  private mutating func handle(
    _ batch: Batch, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard let strongest = batch.samples.map(\.second).max() else { return }
    lastReceived = context.instant
    let smooth = signal.map { $0 + Self.share * (strongest - $0) } ?? strongest
    signal = smooth
    proximity = Proximity.of(signal: smooth, before: proximity)
    outbox.notify(RangingNotice.ranged(proximity, signal: smooth))
  }
}
