public import StintModel
public import StintUnits

/// A service that monitors circular regions with position probes.
///
/// While the phone moves, the time between probes depends on the least possible distance to a boundary. While
/// the phone rests, probes are rare.
public struct RegionsService: PersistentService {
  public static let kind = "regions"
  /// The shortest time between two probes.
  static let shortest = TimeSpan.seconds(30)
  /// The longest time between two probes while the phone moves or its movement is unknown.
  static let longest = TimeSpan.minutes(15)
  /// The time between two probes while the phone rests, in case movement sensing has failed.
  static let atRest = TimeSpan.hours(2)

  private var watches: [RegionWatch]
  private var movement = MovementDetector()
  private var sequencer = FixSequencer()
  private var failures = FailureLimit()
  private var probe: PositionProbe?
  private var nextProbe = Instant.distantFuture
  /// The last known position.
  private var lastFix: PositionFix?
  /// The number of consecutive probes that left a region undecided.
  private var undecidedProbes = 0

  init(_ regions: [Region]) { watches = regions.map { RegionWatch($0) } }

  enum CodingKeys: String, CodingKey { case watches = "regions" }

  public var isValid: Bool { RegionsRequest(watches.map(\.region)).rejectionReason == nil }

  public var outlivesClient: Bool { true }
  public func need(_ roles: DeviceRoles) -> PermissionNeed { .preciseLocation(.always) }
  public var role: DeviceRole? { .positioning }
  public func candidates(_ roles: DeviceRoles) -> [DeviceID] { roles.regionDevices }

  public var nextTimer: Instant {
    var next = probe?.deadline ?? nextProbe
    for watch in watches { next = min(next, watch.crossing.next) }
    return next
  }

  public mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    movement.begin(context, &outbox)
    probePosition(context, &outbox)
  }

  public mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    notifyDenial(event, context, &outbox)
    if movement.handle(event, context, &outbox) { planProbe(after: context.instant) }
    if let result = probe?.result(of: event, &sequencer, context) { finish(result, context, &outbox) }
    if case .fact(let path, _) = event { useForeignFix(path, context, &outbox) }
    for place in watches.indices { watches[place].crossing.advance(at: context.instant) }
    notifyCrossings(&outbox)
    if probe == nil, nextProbe <= context.instant { probePosition(context, &outbox) }
  }

  private mutating func probePosition(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let device = candidates(context.roles).first(where: context.isAvailable) else {
      fail(ServiceFailure(.unavailable, "no device can provide a position now"), context, &outbox)
      nextProbe = context.instant + FailureLimit.pause
      return
    }
    let narrowest = watches.map(\.region.radius).min() ?? 100
    // An accuracy of two thirds of the smallest radius is enough to decide between inside and outside.
    probe = PositionProbe(device, accuracy: max(10, narrowest * 2 / 3), context, &outbox)
  }

  private mutating func finish(
    _ result: PositionProbe.Result, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let probe { outbox.release(probe.demand) }
    probe = nil
    switch result {
    case .fixes(let fixes):
      for fix in fixes { ingest(fix, at: context.instant) }
      planProbe(after: context.instant)
    case .failed(let failure):
      fail(failure, context, &outbox)
      nextProbe = context.instant + FailureLimit.pause
    case .forbidden: nextProbe = context.instant + FailureLimit.pause
    }
  }

  private mutating func ingest(_ fix: PositionFix, at instant: Instant) {
    lastFix = fix
    for place in watches.indices { watches[place].ingest(fix, at: instant) }
    undecidedProbes = watches.allSatisfy(\.isSettled) ? 0 : undecidedProbes + 1
  }

  /// Uses positions of another client's device, which cost no extra energy.
  private mutating func useForeignFix(
    _ path: String, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard probe == nil,
      let device = context.roles.devices(.positioning).first(where: { path == "\($0.path).accuracy" }),
      let fix = context.position(publishedBy: device), fix.determined == context.instant, fix != lastFix
    else { return }
    ingest(fix, at: context.instant)
    planProbe(after: context.instant)
  }

  /// Sets the time of the next probe from the earliest possible crossing.
  private mutating func planProbe(after instant: Instant) {
    guard let lastFix else {
      nextProbe = instant
      return
    }
    let isResting = movement.isMoving == false
    if undecidedProbes > 0 {
      // While the phone rests, an undecided region is probed at growing intervals.
      let factor: Int64 = isResting ? 1 << min(Int64(undecidedProbes), 6) : 1
      let wait = Self.shortest.times(factor, capped: Self.longest)
      nextProbe = lastFix.determined + wait
    } else if isResting {
      let restBegan = movement.since ?? instant
      nextProbe = lastFix.determined < restBegan ? instant : lastFix.determined + Self.atRest
    } else {
      let nearest = watches.map { $0.margin(from: lastFix) }.min() ?? 0
      let seconds = nearest / movement.topSpeed
      let wait = TimeSpan(seconds: seconds) ?? Self.shortest
      nextProbe = max(instant, lastFix.determined + min(max(wait, Self.shortest), Self.longest))
    }
  }

  private mutating func notifyCrossings(_ outbox: inout ServiceOutbox) {
    for place in watches.indices {
      guard let notice = watches[place].notice() else { continue }
      outbox.notify(notice)
      outbox.launch(.region)
    }
  }

  private mutating func fail(
    _ failure: ServiceFailure, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if failures.admits(failure.code.name, at: context.instant), context.client.isAttached {
      outbox.notify(failure)
    }
  }
}

/// One region with the position of the phone relative to it.
struct RegionWatch: Sendable {
  let region: Region
  var crossing: Crossing
  private var wasReported = false

  init(_ region: Region) {
    self.region = region
    crossing = Crossing(
      enterAfter: region.enterAfter, exitAfter: region.exitAfter, memory: .unlimited)
  }

  /// Whether the state is known and no observation contradicts it.
  var isSettled: Bool { crossing.isInside != nil && crossing.candidate == nil }

  mutating func ingest(_ fix: PositionFix, at instant: Instant) {
    let distance = region.centre.distance(to: fix.place)
    crossing.ingest(distance: distance, accuracy: fix.accuracy, ofCircle: region.radius, at: instant)
  }

  /// Returns the least possible distance to the boundary, in metres.
  func margin(from fix: PositionFix) -> Double {
    max(0, abs(region.centre.distance(to: fix.place) - region.radius) - fix.accuracy)
  }

  /// Returns the notice to deliver now and clears it; nil when no notice waits.
  mutating func notice() -> RegionNotice? {
    defer { crossing.endPulse() }
    if let pulse = crossing.pulse { return pulse == .enter ? .entered(region.name) : .exited(region.name) }
    guard !wasReported, let isInside = crossing.isInside else { return nil }
    wasReported = true
    return .known(region: region.name, isInside: isInside)
  }
}

extension RegionWatch: Codable {
  private enum CodingKeys: String, CodingKey { case region, inside }

  /// Decodes the region and the last known state.
  ///
  /// When the next fix contradicts this state, the crossing happened while no process ran, and is reported.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(Region.self, forKey: .region))
    guard let isInside = try container.decodeIfPresent(Bool.self, forKey: .inside) else { return }
    crossing.restore(isInside: isInside, candidate: nil, lastFix: nil)
    wasReported = true
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(region, forKey: .region)
    try container.encodeIfPresent(crossing.isInside, forKey: .inside)
  }
}
