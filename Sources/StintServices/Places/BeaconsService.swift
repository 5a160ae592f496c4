public import StintModel
public import StintUnits

/// A service that monitors beacons with a scanner. The scanner listens briefly every ten seconds.
///
/// The scanner may hold its samples, because its facts publish whether a beacon is received.
public struct BeaconsService: PersistentService {
  public static let kind = "beacons"
  static let period = TimeSpan.seconds(10)

  private var watches: [BeaconWatch]
  private var demand: DemandID?
  /// The scanner of the demand; nil when no device receives beacons.
  private var scanner: DeviceID?
  private var isScanning = false
  private var failures = FailureLimit()

  init(_ regions: [BeaconRegion]) { watches = regions.map { BeaconWatch($0) } }

  enum CodingKeys: String, CodingKey { case watches = "regions" }

  public var isValid: Bool {
    !watches.isEmpty && watches.allSatisfy { $0.region.rejectionReason == nil }
  }

  public var outlivesClient: Bool { true }
  public func need(_ roles: DeviceRoles) -> PermissionNeed { .preciseLocation(.always) }
  public var role: DeviceRole? { .beacons }

  public var nextTimer: Instant {
    guard isScanning else { return .distantFuture }
    return watches.map(\.crossing.next).min() ?? .distantFuture
  }

  public mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    scanner = context.device(for: .beacons) ?? context.roles.devices(.beacons).first
    isScanning = scanner.map(context.isAvailable) ?? false
    demand = scanner.map { scanner in
      outbox.raise(
        scanner, DemandSettings(period: Self.period, latency: .hours(1), background: true, pausing: false))
    }
    for place in watches.indices {
      if case .boolean(let isInRange) = context.fact(watches[place].fact) {
        watches[place].ingest(isInRange: isInRange, at: context.instant)
      }
    }
    notifyCrossings(&outbox)
  }

  public mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    notifyDenial(event, context, &outbox)
    switch event {
    case .fact(let path, .boolean(let isInRange)) where isScanning:
      for place in watches.indices where watches[place].fact == path {
        watches[place].ingest(isInRange: isInRange, at: context.instant)
      }
    case .granted(demand, let grant): scannerChanged(grant.status == .served, context, &outbox)
    case .device(let device, .available(let isThere)) where device == scanner:
      scannerChanged(isThere, context, &outbox)
    default: break
    }
    guard isScanning else { return }
    for place in watches.indices { watches[place].advance(at: context.instant) }
    notifyCrossings(&outbox)
  }

  /// Records whether the scanner works. When it stops working, the states of all regions become unknown.
  private mutating func scannerChanged(
    _ isScanning: Bool, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard self.isScanning != isScanning else { return }
    self.isScanning = isScanning
    guard !isScanning else { return }
    for place in watches.indices { watches[place].lose() }
    notifyCrossings(&outbox)
    if failures.admits("silent", at: context.instant), context.client.isAttached {
      outbox.notify(
        ServiceFailure(.unavailable, "no beacon can be received while the radio is off; switch it on"))
    }
  }

  private mutating func notifyCrossings(_ outbox: inout ServiceOutbox) {
    for place in watches.indices {
      guard let notice = watches[place].notice() else { continue }
      outbox.notify(notice)
      outbox.launch(.region)
    }
  }
}

/// One beacon region and whether it is in range.
struct BeaconWatch: Sendable {
  let region: BeaconRegion
  let fact: String
  private(set) var crossing: Crossing
  /// The state that was reported last; nil when nothing or an unknown state was reported.
  private var reported: Bool?

  init(_ region: BeaconRegion) {
    self.region = region
    fact = region.fact
    crossing = Crossing(enterAfter: .zero, exitAfter: region.exitAfter.timeSpan, memory: .unlimited)
  }

  mutating func ingest(isInRange: Bool, at instant: Instant) {
    crossing.propose(isInRange, at: instant)
  }

  mutating func advance(at instant: Instant) { crossing.advance(at: instant) }

  /// Makes the state unknown because no scanner is on.
  mutating func lose() { crossing.forget() }

  /// Returns the notice to deliver now and clears it; nil when no notice waits.
  mutating func notice() -> BeaconNotice? {
    let pulse = crossing.pulse
    crossing.endPulse()
    if let pulse {
      reported = crossing.isInside
      return pulse == .enter ? .entered(region.name) : .exited(region.name)
    }
    guard crossing.isInside != reported else { return nil }
    reported = crossing.isInside
    return reported.map { .known(region: region.name, isInside: $0) } ?? .unknown(region.name)
  }
}

extension BeaconWatch: Codable {
  /// Decodes the region. Its state is unknown after a restart.
  init(from decoder: any Decoder) throws { self.init(try BeaconRegion(from: decoder)) }

  func encode(to encoder: any Encoder) throws { try region.encode(to: encoder) }
}
