public import StintModel
public import StintUnits

/// A service that reports movements of half a kilometre or more. Its position probes use Wi-Fi networks or
/// cell towers, unless the rule of the service names a device, or all positioning devices use satellites.
public struct MovesService: PersistentService {
  public static let kind = "moves"
  /// The least distance in metres between two delivered positions, after subtracting the radii of both.
  static let distance = 500.0
  /// The shortest time between two deliveries, and between two position probes while the host travels.
  static let shortest = TimeSpan.minutes(5)
  /// The time between two probes when neither `shortest` nor `paused` applies.
  static let usual = TimeSpan.minutes(15)
  /// The time between two probes while the host rests and pausing is allowed.
  static let paused = TimeSpan.hours(1)
  /// The host counts as resting after this number of consecutive fixes that agree within their errors.
  static let minFixesAtRest = 2
  /// The period of the service's own probes while another client's device publishes positions continuously.
  static let piggybackPeriod = TimeSpan.hours(24)
  /// The time by which a position may be late before it counts as missing.
  static let grace = TimeSpan.seconds(30)

  let request: MovesRequest
  private var sequencer = FixSequencer()
  private var failures = FailureLimit()
  private var demand: DemandID?
  private var target: DeviceID?
  /// The time between two probes. It is `grace` for a new device, and again after the positions of another
  /// client have ended.
  private var period = MovesService.grace
  private var lastFix: Fix?
  private var delivered: Fix?
  private var deliveredAt: Instant?
  private var fixesAtRest = 0
  /// The present failure; nil when none exists.
  private var lastFailure: ServiceFailure?
  /// The instant at which the next position counts as missing.
  private var expected = Instant.distantFuture
  private var nextHeartbeat = Instant.distantFuture
  /// The instant of the last movement or heartbeat notice; before the first notice, the start of the service.
  private var lastNotice = Instant.epoch

  /// The device of the probes; nil for the best available device. The rule of the service names the device,
  /// so this property is not saved.
  var device: DeviceID?
  /// Whether another client's positions replace the probes of this service.
  private var isPiggybacking = false
  /// Whether a rule forbids the service.
  private var isBarred = false

  enum CodingKeys: String, CodingKey {
    case request, delivered
    case deliveredAt = "delivered_at"
  }

  public var isValid: Bool {
    request.rejectionReason == nil && (delivered == nil) == (deliveredAt == nil)
  }

  init(_ request: MovesRequest, on device: DeviceID? = nil) {
    self.request = request
    self.device = device
  }

  public var outlivesClient: Bool { true }
  public func need(_ roles: DeviceRoles) -> PermissionNeed { .location(.always) }
  public var word: ServiceWord? { .moves }
  public var maxAge: TimeSpan { request.maxAge.timeSpan }
  public var role: DeviceRole? { .positioning }
  public func candidates(_ roles: DeviceRoles) -> [DeviceID] { device.map { [$0] } ?? roles.coarseDevices }

  public var nextTimer: Instant { min(nextHeartbeat, expected) }

  public mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let ignored = [
      request.accuracy.map { _ in "accuracy" }, request.filter.map { _ in "filter" },
    ].compactMap(\.self)
    if !ignored.isEmpty { outbox.notify(MoveNotice.noEffect(ignored)) }
    if let fix = context.newestPosition(), let age = fix.age(at: context.instant) {
      outbox.notify(MoveNotice.cached(fix, age: age.duration))
    }
    watch(context, &outbox)
  }

  /// Begins to probe, without a first notice to the client.
  mutating func watch(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    lastNotice = context.instant
    planHeartbeat(context)
    demandProbes(context, &outbox)
  }

  public mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    notifyDenial(event, context, &outbox)
    switch event {
    case .batch(let batch, demand): handle(batch, context, &outbox)
    case .granted(demand, let grant): handle(grant, context, &outbox)
    case .ended(demand): demand = nil
    // A change between coarse and precise positions needs a new demand.
    case .permissions(let permissions) where permissions.allow(need(context.roles)):
      if demand != nil { raise(context, &outbox) }
    case .device(let device, .available) where candidates(context.roles).contains(device):
      demandProbes(context, &outbox)
    case .fact(MovementDetector.fact, let value): factChanged(value, context, &outbox)
    case .fact(let path, _): useForeignFix(path, context, &outbox)
    case .timer: handleTimer(context, &outbox)
    default: break
    }
  }

  // MARK: Position probes

  /// Raises a demand for probes on the best available device, at first with the period `grace`. A demand that
  /// is already on this device stays as it is.
  private mutating func demandProbes(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let best = candidates(context.roles).first(where: context.isAvailable)
    if demand != nil, best == target || best == nil { return }
    guard let best else {
      fail(noDevice, context, &outbox)
      return
    }
    target = best
    isPiggybacking = false
    period = Self.grace
    raise(context, &outbox)
  }

  private mutating func raise(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let target else { return }
    if let demand { outbox.release(demand) }
    let accuracy = context.manifest(target)?.attribute(named: "accuracy")?.range?.lowerBound
    demand = outbox.raise(
      target, DemandSettings(accuracy: accuracy, period: period, background: true, pausing: false))
    expected = max((lastFix?.instant ?? context.instant) + period, context.instant) + Self.grace
  }

  /// Returns the time to the next probe, which depends on whether the host rests or travels.
  private func samplingPeriod(_ context: ServiceContext) -> TimeSpan {
    if isMoving(context) { return Self.shortest }
    if fixesAtRest >= Self.minFixesAtRest, mayPause(context) { return Self.paused }
    return fixesAtRest == 0 && lastFix != nil && delivered != nil ? Self.shortest : Self.usual
  }

  private mutating func setPeriod(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let wanted = samplingPeriod(context)
    guard !isPiggybacking, wanted != period else { return }
    period = wanted
    raise(context, &outbox)
  }

  /// Uses a position that was measured for another client instead of a probe. The service probes again only
  /// when no further such position arrives in time.
  private mutating func usePiggybackedFix(
    _ fix: Fix, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard demand != nil, fix.accuracy <= Self.distance else { return }
    if lastFix.map({ fix.instant - $0.instant >= Self.shortest }) ?? true { updateRest(fix) }
    if !isPiggybacking {
      isPiggybacking = true
      period = Self.piggybackPeriod
      raise(context, &outbox)
    }
    expected = context.instant + samplingPeriod(context)
  }

  /// Returns whether the probes may be reduced to one probe per hour. The client and the policies must both
  /// allow this.
  private func mayPause(_ context: ServiceContext) -> Bool {
    request.pausing
      && candidates(context.roles).allSatisfy { context.defaults(of: $0)?.wants.pausing != false }
  }

  /// Returns whether the host moves, as reported by the accelerometer while it is on for another client.
  private func isMoving(_ context: ServiceContext) -> Bool {
    guard case .symbol(let word) = context.fact(MovementDetector.fact),
      case .symbol(let words)? = context.schema(MovementDetector.fact)?.type, words.indices.contains(word)
    else { return false }
    return words[word] != Activity.still.rawValue
  }

  private mutating func factChanged(
    _ value: FactValue, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard isMoving(context), period != Self.shortest else { return }
    if isPiggybacking { expected = min(expected, context.instant + Self.shortest) }
    setPeriod(context, &outbox)
  }

  private mutating func handle(_ batch: Batch, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    lastFailure = nil
    if !isPiggybacking { expected = context.instant + period + Self.grace }
    let fixes = sequencer.accept(batch, at: context.instant)
    if let newest = fixes.last {
      updateRest(newest)
      deliver(fixes, context, &outbox)
      setPeriod(context, &outbox)
    }
    beat(context, &outbox)
  }

  /// Counts consecutive fixes at rest: two fixes that agree within their errors are at rest.
  private mutating func updateRest(_ fix: Fix) {
    defer { lastFix = fix }
    guard let before = lastFix else {
      fixesAtRest = 1
      return
    }
    let moved = before.coordinate.distance(to: fix.coordinate) > before.accuracy + fix.accuracy
    fixesAtRest = moved ? 0 : fixesAtRest + 1
  }

  /// Uses positions that a device measured for another client. Such positions cost no extra energy.
  private mutating func useForeignFix(
    _ path: String, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard !isBarred,
      let device = context.roles.devices(.positioning).first(where: { path == "\($0.path).accuracy" }),
      device != target, let fix = context.position(publishedBy: device), fix.instant == context.instant
    else { return }
    deliver([fix], context, &outbox)
    usePiggybackedFix(fix, context, &outbox)
  }

  private mutating func deliver(
    _ fixes: [Fix], _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    let now = context.instant
    let current = fixes.filter { $0.isFresh(at: now, maxAge: maxAge) }
    guard let newest = current.last else {
      // Before the first delivery, an old position is better than no position.
      if delivered == nil, let fix = fixes.last, let age = fix.age(at: now) {
        outbox.notify(MoveNotice.cached(fix, age: age.duration))
      }
      return
    }
    if let delivered, let deliveredAt {
      let uncertainty = delivered.accuracy + newest.accuracy
      guard newest.instant > delivered.instant, now - deliveredAt >= Self.shortest,
        delivered.coordinate.distance(to: newest.coordinate) - uncertainty >= Self.distance
      else { return }
    }
    if delivered != nil { outbox.signal(.movesChanged) }
    delivered = newest
    deliveredAt = now
    lastNotice = now
    outbox.launch(.moved)
    outbox.notify(MoveNotice.moved(current))
  }

  // MARK: Heartbeat

  /// Returns the period of wake-ups of the app: the client's period, but at least the period of the policies.
  ///
  /// For a rule's service, returns the period of the policies. Nil when there are no wake-ups: a policy turns
  /// the heartbeat off, the client requests none, or no policy specifies a period for the rule's service.
  private func heartbeat(_ context: ServiceContext) -> TimeSpan? {
    let policyPeriods = candidates(context.roles).compactMap { context.defaults(of: $0)?.services.heartbeat }
    if policyPeriods.contains(.zero) { return nil }
    guard !context.client.isPolicy, let asked = request.heartbeat?.timeSpan else {
      return context.client.isPolicy ? policyPeriods.max() : nil
    }
    return ([asked] + policyPeriods).max()
  }

  private mutating func planHeartbeat(_ context: ServiceContext) {
    nextHeartbeat = heartbeat(context).map { context.instant + $0 } ?? .distantFuture
  }

  /// Restarts the heartbeat's period, because the processor is awake now. Notifies the client when the last
  /// notice is at least a period old.
  private mutating func beat(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let heartbeat = heartbeat(context) else { return }
    if context.instant - lastNotice >= heartbeat {
      lastNotice = context.instant
      // A heartbeat for a detached client is not queued and does not launch the client.
      if context.client.isAttached { outbox.notify(MoveNotice.heartbeat) }
    }
    planHeartbeat(context)
  }

  private mutating func handleTimer(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if nextHeartbeat <= context.instant {
      if let demand, !isBarred { outbox.wake(demand) }
      if isBarred { planHeartbeat(context) } else { beat(context, &outbox) }
    }
    guard expected <= context.instant else { return }
    if isPiggybacking {
      isPiggybacking = false
      period = Self.grace
      raise(context, &outbox)
      return
    }
    // A failed probe is repeated after `shortest`, before the next regular probe.
    if period > Self.shortest {
      period = Self.shortest
      raise(context, &outbox)
    } else if demand == nil {
      demandProbes(context, &outbox)
    }
    fail(
      lastFailure ?? ServiceFailure(.timedOut, "no position arrived in time; the next attempt follows"),
      context, &outbox)
  }

  // MARK: Failures

  /// The failure while no device can serve the probes.
  private var noDevice: ServiceFailure {
    ServiceFailure(
      .unavailable, device.map { "\($0) is not available" } ?? "no device for positions is available")
  }

  private mutating func handle(_ grant: Grant, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    isBarred = grant.status == .stopped
    switch grant.status {
    case .unavailable:
      fail(noDevice, context, &outbox)
    case .served:
      lastFailure = nil
      expected = min(
        expected, context.instant + (isPiggybacking ? samplingPeriod(context) : period) + Self.grace)
    case .stopped, .paused, .deferred, .background: expected = .distantFuture
    }
  }

  private mutating func fail(
    _ failure: ServiceFailure, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    lastFailure = failure
    if failures.admits(failure.code.name, at: context.instant), context.client.isAttached {
      outbox.notify(failure)
    }
    expected = failures.next(failure.code.name) ?? context.instant + FailureLimit.pause
  }
}

extension MovesService {
  public mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    watch(context, &outbox)
  }
}
