import StintModel
import StintUnits

/// The continuous updates of one client. The demands of a stream depend on its phase: running, paused or
/// suspended.
///
/// A stream follows the position by the facts of the serving device. So it detects pauses, ends of deferrals
/// and failed attempts even while fixes are held. The fixes to deliver arrive in batches.
struct LocationStream: Service {
  enum Phase: Hashable, Sendable {
    case running
    case paused(LocationPause)
    /// Updates are suspended until this instant.
    case resting(until: Instant)
  }

  var request: LocationUpdates
  var phase = Phase.running
  var ladder: PositioningLadder
  var filter: DistanceFilter
  var askedAt = Instant.epoch

  /// The demand on a positioning device, with its settings and grant.
  var demand: DemandID?
  var wants = DemandSettings()
  var status: Grant.Status?
  var provider: DeviceID?
  var period = TimeSpan.seconds(1)
  /// The last fix of a finer device that was on for other clients.
  var piggybackedFix: LocationFix?
  /// The instant of the last fix that was delivered as current.
  var lastDelivered: Instant?
  /// The instant of the last fix with the requested accuracy. Used only when this accuracy needs no satellite
  /// receiver.
  var lastGood: Instant?
  /// The released demands whose held fixes have not all arrived. The ends of deferrals wait for these fixes.
  var leaving: Set<DemandID> = []
  /// The demand on the accelerometer while paused or suspended.
  var motion: DemandID?
  /// The sensor of `motion`, which detects movement at low power.
  var motionSensor: DeviceID?
  /// While suspended: whether the last report of movement was `still`.
  var wasStill = false
  var isInBackground = false

  var watch: StillnessWatch
  var trend = AccuracyTrend()
  var patience = AttemptTimer()
  /// The instant until which fixes poorer than requested are withheld after a pause.
  var settlesBy: Instant?

  var deferral: Deferral?
  /// The ends of deferrals that are reported after all held fixes have arrived.
  var ends: [(number: Int, end: DeferralEnd)] = []
  /// The fixes held by this stream.
  var kept: [LocationFix] = []
  /// The instant of the newest fix of each device.
  var seen: [DeviceID: Instant] = [:]
  /// For each device, the selection of fixes at the rate of the client.
  var decimators: [DeviceID: Decimator] = [:]

  init(_ request: LocationUpdates) {
    self.request = request
    ladder = PositioningLadder(request.meantAccuracy)
    filter = DistanceFilter(metres: request.filter)
    watch = StillnessWatch(LocationDefaults.pauseRule(for: request.activity))
  }

  var needs: Authorization { .whenInUse }
  var role: DeviceRole? { .positioning }
  var maxAge: TimeSpan { request.maxAge }

  var nextTimer: Instant {
    var next = min(deferral?.deadline ?? .distantFuture, settlesBy ?? .distantFuture)
    switch phase {
    case .running: next = min(next, givesUpAt ?? .distantFuture)
    case .paused(let pause): next = min(next, pause.next)
    case .resting(let until): next = min(next, until)
    }
    return next
  }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard !request.background || context.client.mayBackground else {
      outbox.fail(ServiceFailure.lacksBackground(context.client.id))
      return
    }
    askedAt = context.instant
    isInBackground = context.isInBackground
    updateDemands(context, &outbox)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch(let batch, let id):
      if id == demand || leaving.contains(id) { handle(batch, context, &outbox) }
    case .granted(let id, let grant): ingest(grant, of: id, context, &outbox)
    case .ended(let id):
      if leaving.remove(id) != nil { finishEnds(context, &outbox) }
      if id == demand { demand = nil }
      if id == motion { motion = nil }
    case .fact(let path, let value): ingest(path, value, context, &outbox)
    case .presence: updatePresence(context, &outbox)
    case .device(let device, let event): ingest(event, of: device, context, &outbox)
    case .authorization(let authorization):
      guard authorization < needs else { return }
      endDeferral(.notUpdating, context, &outbox)
      // The board ends the stream after this event, so do not wait for held fixes.
      leaving.removeAll()
      finishEnds(context, &outbox)
    // Deferred fixes use memory, so deliver them now.
    case .memory(isLow: true): endDeferral(.full, context, &outbox)
    case .command(let command as LocationCommand): handle(command, context, &outbox)
    case .timer: handleTimer(context, &outbox)
    default: return
    }
  }

  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    endDeferral(.notUpdating, context, &outbox)
  }

  /// True while a deferral has ended and its held fixes have not all arrived. A client that ends the stream
  /// still gets these fixes.
  var drainsBeforeEnd: Bool { !ends.isEmpty }

  private mutating func handleTimer(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    checkDeferral(context, &outbox)
    if let settlesBy, context.instant >= settlesBy { self.settlesBy = nil }
    switch phase {
    case .running: giveUpIfDue(context, &outbox)
    case .paused: advancePause(context, &outbox)
    case .resting(let until): if context.instant >= until { retry(context, &outbox) }
    }
  }

  // MARK: Demands

  /// Raises exactly the demands that the present phase needs.
  mutating func updateDemands(_ context: ServiceContext, _ outbox: inout ServiceOutbox, again: Bool = false) {
    guard let wanted = wanted else {
      release(&outbox)
      return
    }
    guard demand == nil || wanted != wants || again else { return }
    let old = demand
    demand = ladder.target(context).map { outbox.raise($0, wanted) }
    wants = wanted
    if let old { leave(old, &outbox) }
  }

  /// The settings of the demand that the present phase needs; nil when the phase needs no demand.
  private var wanted: DemandSettings? {
    switch phase {
    case .running: break
    case .paused(let pause): if !pause.isProbing { return nil }
    case .resting: return nil
    }
    var wants = DemandSettings(
      accuracy: ladder.metres, period: request.period ?? ladder.usualPeriod, activity: request.activity.word,
      background: request.background, pausing: request.pausing)
    if deferral != nil, isInBackground { wants.latency = LocationDefaults.longestHold }
    return wants
  }

  private mutating func release(_ outbox: inout ServiceOutbox) {
    guard let demand else { return }
    self.demand = nil
    provider = nil
    status = nil
    leave(demand, &outbox)
  }

  private mutating func leave(_ demand: DemandID, _ outbox: inout ServiceOutbox) {
    leaving.insert(demand)
    outbox.release(demand)
  }

  private mutating func ingest(
    _ grant: Grant, of id: DemandID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if id == motion, grant.status != .served { motionFailed(context) }
    guard id == demand else { return }
    if grant.provider != provider {
      let last = odometer(context)
      provider = grant.provider
      let first = odometer(context)
      deferral?.changeDevice(leaving: last, arriving: first)
    }
    if let granted = grant.period, granted != period {
      period = granted
      decimators.removeAll()
    }
    guard status != grant.status else { return }
    let before = status
    status = grant.status
    if grant.status == .served {
      patience.begin(at: context.instant)
      trend.restart()
    } else {
      patience.end()
      endDeferral(.notUpdating, context, &outbox)
    }
    if before != nil || grant.status != .served { outbox.notify(LocationNotice.status(grant.status)) }
  }
}
