public import StintModel
public import StintUnits

/// A service that monitors circular regions with position probes.
///
/// `RegionProbePlan` chooses the time and the device of each probe. For a region far away, coarse positions
/// at long intervals are sufficient. A finer and more expensive device is used only near a border, when a
/// coarse position does not show on which side of the border the host is. While the host rests, probes are
/// rare.
public struct RegionsService: PersistentService {
  public static let kind = "regions"

  private var watches: [RegionWatch]
  private var movement = MovementDetector()
  private var sequencer = FixSequencer()
  private var failures = FailureLimit()
  private var plan = RegionProbePlan()
  private var probe: PositionProbe?
  /// The device of `probe`, or of the last probe.
  private var source: PositionSource?
  private var nextProbe = Instant.distantFuture
  /// The last known position.
  private var lastFix: Fix?

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
    plan.note(movement, at: context.instant)
    probeWhenDue(context, &outbox)
  }

  public mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    notifyDenial(event, context, &outbox)
    var isChanged = nextProbe <= context.instant
    let before = (movement.isMoving, movement.topSpeed)
    _ = movement.handle(event, context, &outbox)
    if before != (movement.isMoving, movement.topSpeed) {
      plan.note(movement, at: context.instant)
      isChanged = true
    }
    if let result = probe?.result(of: event, &sequencer, context) {
      finish(result, context, &outbox)
      isChanged = true
    }
    if case .fact(let path, _) = event, useForeignFix(path, context) { isChanged = true }
    for place in watches.indices { watches[place].crossing.advance(at: context.instant) }
    if notifyCrossings(&outbox) { isChanged = true }
    if probe == nil, isChanged { probeWhenDue(context, &outbox) }
  }

  /// Begins the next probe if its planned instant is reached. Otherwise sets the timer to that instant.
  private mutating func probeWhenDue(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let sources = context.positionSources
    guard !sources.isEmpty else {
      fail(ServiceFailure(.unavailable, "no device can provide a position now"), context, &outbox)
      nextProbe = context.instant + FailureLimit.pause
      return
    }
    nextProbe = plan.due(watches, sources, at: context.instant)
    guard nextProbe <= context.instant, let next = plan.source(watches, sources, at: context.instant) else {
      return
    }
    source = next
    probe = PositionProbe(
      next.device, accuracy: next.accuracy, timeout: plan.timeout(next, at: context.instant), context,
      &outbox)
    plan.began(at: context.instant)
  }

  private mutating func finish(
    _ result: PositionProbe.Result, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let probe { outbox.release(probe.demand) }
    probe = nil
    guard let source else { return }
    switch result {
    case .fixes(let fixes):
      plan.succeeded(source)
      for fix in fixes { ingest(fix, at: context.instant) }
    case .failed(let failure):
      plan.failed(source, at: context.instant)
      // The failure of one device matters only when no other device can take over.
      if !plan.canProbe(context.positionSources, at: context.instant) { fail(failure, context, &outbox) }
    case .forbidden: plan.failed(source, at: context.instant)
    }
  }

  private mutating func ingest(_ fix: Fix, at instant: Instant) {
    lastFix = fix
    let seen = plan.ingest(fix, watches, at: instant)
    for place in watches.indices { watches[place].ingest(seen, at: instant) }
  }

  /// Uses a position that a device measured for another client. Such a position costs no extra energy.
  /// Returns whether there was such a position. During a probe, does nothing and returns false.
  private mutating func useForeignFix(_ path: String, _ context: ServiceContext) -> Bool {
    guard probe == nil,
      let device = context.roles.devices(.positioning).first(where: { path == "\($0.path).accuracy" }),
      let fix = context.position(publishedBy: device), fix.instant == context.instant,
      fix.instant != lastFix?.instant || device != lastFix?.device
    else { return false }
    ingest(fix, at: context.instant)
    return true
  }

  /// Reports crossings and first known states. Returns whether there was anything to report.
  private mutating func notifyCrossings(_ outbox: inout ServiceOutbox) -> Bool {
    var isChanged = false
    for place in watches.indices {
      guard let notice = watches[place].notice() else { continue }
      isChanged = true
      outbox.notify(notice)
      outbox.launch(.region)
    }
    return isChanged
  }

  private mutating func fail(
    _ failure: ServiceFailure, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if failures.admits(failure.code.name, at: context.instant), context.client.isAttached {
      outbox.notify(failure)
    }
  }
}
