import StintModel
import StintUnits

/// The continuous updates of one client. The demands of the stream depend on its phase: running, paused or
/// suspended.
///
/// The stream detects pauses, ends of deferrals and failed attempts from the facts of the serving device, so
/// it detects these changes even while the device holds fixes. The fixes to deliver arrive in batches.
struct LocationStream: Service {
  /// The request of the client (`asked`), and this request with the policies' defaults for missing settings
  /// (`request`).
  private var asked: LocationUpdates
  private var request: LocationUpdates
  private var ladder: PositioningLadder
  private var askedAt = Instant.epoch
  private var isInBackground = false

  private var demand = LocationDemand()
  private var fixes: FixQueue
  private var deferrals = Deferrals()
  private var motion = MotionWatch()
  private var phase: LocationPhase

  init(_ request: LocationUpdates) {
    asked = request
    self.request = request
    ladder = PositioningLadder(request.meantAccuracy)
    fixes = FixQueue(distance: request.filter?.meters)
    phase = LocationPhase(request.meantActivity)
  }

  var pause: ServicePause? { phase.pause(wakesOnMotion: motion.isOn) }

  func need(_ roles: DeviceRoles) -> PermissionNeed { .location(.whenInUse) }
  var commandType: (any ServiceCommand.Type)? { LocationCommand.self }
  var role: DeviceRole? { .positioning }
  var maxAge: TimeSpan { request.maxAge.timeSpan }

  var nextTimer: Instant {
    min(deferrals.deadline, fixes.settlesBy ?? .distantFuture, phase.nextTimer(request.retry))
  }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    askedAt = context.instant
    isInBackground = context.isInBackground
    complete(context, &outbox)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch(let batch, let id):
      if demand.delivers(id) { handle(batch, context, &outbox) }
    case .granted(let id, let grant): ingest(grant, of: id, context, &outbox)
    case .ended(let id):
      if demand.end(id) { finishEnds(context, &outbox) }
      motion.end(id)
    case .fact(let path, let value): ingest(path, value, context, &outbox)
    case .presence: updatePresence(context, &outbox)
    case .device(let device, let event): ingest(event, of: device, context, &outbox)
    case .permissions(let permissions) where permissions.allow(need(context.roles)):
      complete(context, &outbox)
    case .defaults: complete(context, &outbox)
    case .permissions:
      fixes.discard()
      endDeferral(.notUpdating, context, &outbox)
      demand.stopDraining()  // The board ends the stream after this event.
      finishEnds(context, &outbox)
    // Deferred fixes use memory, so deliver them now.
    case .memory(isLow: true): endDeferral(.full, context, &outbox)
    case .command(let command as LocationCommand): handle(command, context, &outbox)
    case .timer:
      checkDeferral(context, &outbox)
      fixes.fire(at: context.instant)
      perform(phase.timer(request.retry, at: context.instant), context, &outbox)
    default: return
    }
  }

  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    endDeferral(.notUpdating, context, &outbox)
  }

  /// True while a deferral has ended and its held fixes have not all arrived. A client that ends the stream
  /// still gets these fixes.
  var drainsBeforeEnd: Bool { deferrals.hasEnds }

  // MARK: Demands

  /// Raises exactly the demand that the present phase needs.
  private mutating func updateDemands(
    _ context: ServiceContext, _ outbox: inout ServiceOutbox, again: Bool = false
  ) {
    demand.update(wanted, on: ladder.target(context), again: again, &outbox)
  }

  /// The settings of the demand that the present phase needs; nil when the phase needs no demand.
  private var wanted: DemandSettings? {
    guard phase.needsPositions else { return nil }
    var wants = DemandSettings(
      accuracy: ladder.metres, period: request.period?.timeSpan ?? ladder.usualPeriod,
      activity: request.meantActivity.word,
      background: request.isServedInBackground, pausing: request.mayPause)
    if isHolding { wants.latency = LocationDefaults.longestHold }
    return wants
  }

  private mutating func ingest(
    _ grant: Grant, of id: DemandID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if motion.owns(id), grant.status != .served { phase.loseMotion(at: context.instant) }
    let former = demand
    let last = context.odometer(of: demand.provider)
    guard demand.note(grant, of: id) else { return }
    if demand.provider != former.provider {
      deferrals.changeDevice(leaving: last, arriving: context.odometer(of: demand.provider))
    }
    if demand.period != former.period { fixes.restartSelection() }
    guard demand.status != former.status else { return }
    if grant.status == .served {
      phase.beginAttempt(at: context.instant)
    } else {
      phase.endAttempt()
      endDeferral(.notUpdating, context, &outbox)
    }
  }

  // MARK: Fixes

  private mutating func handle(_ batch: Batch, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let received = Fix.fixes(in: batch, askedAt: askedAt, at: context.instant)
    // The client gets all fixes unless it requested a period or a rule slows the updates down.
    let isSlowed = request.period != nil || demand.period > ladder.usualPeriod ?? .seconds(1)
    // The stream holds the fixes of a deferral for a device without a log. At the limit, the deferral ends as
    // `full`. Without a deferral, the oldest fixes are dropped.
    guard
      fixes.add(
        received, of: batch.device, every: isSlowed ? demand.period : nil, isBounded: !deferrals.isRunning)
    else { return }
    if batch.reason == .full || fixes.isFull { endDeferral(.full, context, &outbox) }
    if phase.isRunning, !isHolding, !deferrals.hasEnds { deliver(context, &outbox) }
  }

  /// True while fixes wait for the end of a deferral.
  private var isHolding: Bool { deferrals.isRunning && isInBackground }

  /// Removes the held fixes from the queue, and delivers those that the client wants in one notice, in order.
  ///
  /// - Parameter unfiltered: true for deferred fixes, to which the distance filter does not apply.
  private mutating func deliver(
    _ context: ServiceContext, _ outbox: inout ServiceOutbox, unfiltered: Bool = false
  ) {
    guard !fixes.isEmpty else { return }
    let defaults = defaults(context)
    let selection = FixQueue.Selection(
      now: context.instant, maxAge: maxAge, period: demand.period,
      distance: request.filter?.meters ?? defaults.filter, isUnfiltered: unfiltered,
      isBlurred: request.fuzz || defaults.fuzz == true)
    let chosen = fixes.deliver(selection, &ladder)
    if !chosen.isEmpty { outbox.notify(LocationNotice.fixes(chosen)) }
    updateDemands(context, &outbox)
  }

  private func defaults(_ context: ServiceContext) -> ServiceDefaults {
    context.defaults(of: ladder.target(context), servedBy: demand.provider)
  }

  // MARK: Facts

  private mutating func updatePresence(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isInBackground != context.isInBackground else { return }
    isInBackground.toggle()
    updateDemands(context, &outbox)
  }

  private mutating func ingest(
    _ path: String, _ value: FactValue, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch path {
    case "app.state": updatePresence(context, &outbox)
    case "motion.activity":
      guard case .symbol(let word) = value else { return }
      // Word 0 of the fact's words is `still`.
      move(word != 0, context, &outbox)
    default:
      // `.distance` is the last fact of a fix, so the other facts are already set.
      guard let provider = demand.provider, path.hasSuffix(".distance") else { return }
      if path == "\(provider.path).distance" {
        observe(provider, context, &outbox)
      } else if let device = context.roles.devices(.positioning).first(where: {
        path == "\($0.path).distance"
      }) {
        usePiggybackedFix(device, over: provider, context, &outbox)
      }
    }
  }

  /// Uses the fix of a more accurate device that is on for other clients. Such a fix costs no extra energy.
  private mutating func usePiggybackedFix(
    _ device: DeviceID, over provider: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard phase.isRunning, !isHolding, !deferrals.hasEnds,
      context.rank(of: device) > context.rank(of: provider),
      fixes.usesPiggyback(at: context.instant, period: demand.period),
      let (place, radius) = context.lastFix(of: device)
    else { return }
    fixes.addPiggybacked(
      Fix(instant: context.instant, coordinate: place, accuracy: radius, device: device))
    deliver(context, &outbox)
  }

  /// Processes a fix of the serving device, whether it is delivered or not.
  private mutating func observe(
    _ provider: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard let (place, radius) = context.lastFix(of: provider) else { return }
    let lasting = max(demand.wants.period ?? .zero, LocationDefaults.fixAge)
    if phase.isRunning { checkDeferral(context, &outbox) }
    let change = phase.observe(
      place, radius: radius, isGood: ladder.isGood(radius), lasting: lasting, mayPause: request.mayPause,
      at: context.instant)
    perform(change, context, &outbox)
  }

  private mutating func ingest(
    _ event: DeviceEvent, of device: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch event {
    case .fault(let text) where device == demand.provider:
      outbox.notify(ServiceFailure(.failed, "“\(device)” has a fault: \(text)"))
      endDeferral(.failed, context, &outbox)
    case .available(false) where device == demand.provider: endDeferral(.failed, context, &outbox)
    case .available(false) where motion.uses(device): phase.loseMotion(at: context.instant)
    default: return
    }
  }

  // MARK: Phases

  private mutating func perform(
    _ change: LocationPhase.Change?, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch change {
    case .pause(let place): pause(at: place, context, &outbox)
    case .resume: resume(context, &outbox)
    case .probe:
      if !phase.needsPositions { fixes.discard() }
      updateDemands(context, &outbox)
    case .rest(let next):
      endDeferral(.notUpdating, context, &outbox)
      updateDemands(context, &outbox)
      if request.retry?.wakesOnMotion == true {
        motion.begin(background: request.isServedInBackground, context, &outbox)
      }
      outbox.notify(LocationNotice.suspended(next: next))
    case .retry:
      phase.retry()
      motion.stop(&outbox)
      updateDemands(context, &outbox)
    case nil: return
    }
  }

  /// Pauses updates because the position is unlikely to change.
  private mutating func pause(
    at place: Coordinate, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    endDeferral(.notUpdating, context, &outbox)
    motion.begin(background: request.isServedInBackground, context, &outbox)
    phase.pause(at: place, isWatched: motion.isOn, at: context.instant)
    updateDemands(context, &outbox)
    outbox.notify(LocationNotice.paused)
  }

  private mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    phase.resume(isServed: demand.isRaised, at: context.instant)
    fixes.withholdPoor(until: context.instant + LocationDefaults.settling)
    motion.stop(&outbox)
    outbox.notify(LocationNotice.resumed)
    updateDemands(context, &outbox)
    deliver(context, &outbox)
  }

  /// Processes a report that movement began or ended.
  private mutating func move(
    _ isMoving: Bool, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard motion.isOn else { return }
    let begins = phase.isResting && motion.note(isMoving: isMoving)
    perform(phase.move(isMoving, begins: begins, at: context.instant), context, &outbox)
  }

  // MARK: Commands

  /// Applies the settings that follow from the request, the defaults and the client's permissions.
  private mutating func complete(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let former = request
    request = asked.completed(for: ladder.target(context), context)
    if context.ladder(for: request.meantAccuracy).asked != ladder.asked {
      ladder = context.ladder(for: request.meantAccuracy)
      if !ladder.wanted.needsReceiver { endDeferral(.accuracyTooLow, context, &outbox) }
    }
    if request.meantActivity != former.meantActivity {
      perform(phase.follow(request.meantActivity, at: context.instant), context, &outbox)
    }
    if phase.isPaused, !request.mayPause { resume(context, &outbox) }
    updateDemands(context, &outbox)
  }

  private mutating func handle(
    _ command: LocationCommand, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch command {
    case .setBackground(let flag): asked.background = flag
    case .setActivity(let activity): asked.activity = activity
    case .setAccuracy(let radius): asked.accuracy = radius
    case .setFilter(let distance):
      asked.filter = distance
      fixes.set(distance: distance?.meters)
      if distance != nil { endDeferral(.distanceFiltered, context, &outbox) }
    case .setPausing(let flag): asked.pausing = flag
    case .deferUpdates(let number, let distance, let time):
      beginDeferral(number, distance: distance?.meters, time: time?.timeSpan, context, &outbox)
    case .askDeferral: outbox.notify(LocationNotice.canDefer(LocationUpdates.canDefer(context)))
    }
    complete(context, &outbox)
  }

  func rejectionReason(of command: any ServiceCommand) -> ServiceFailure? {
    var edited = asked
    switch command as? LocationCommand {
    case .setAccuracy(let radius): edited.accuracy = radius
    case .setFilter(let distance): edited.filter = distance
    case .deferUpdates(_, let distance, let time):
      return ServiceFailure(distance, "the distance", .distance) ?? ServiceFailure(time, "the time", .delay)
    case .setBackground, .setActivity, .setPausing, .askDeferral, nil: return nil
    }
    return edited.rejectionReason
  }

  // MARK: Deferral

  private mutating func beginDeferral(
    _ number: Int, distance: Double?, time: TimeSpan?, _ context: ServiceContext,
    _ outbox: inout ServiceOutbox
  ) {
    if let rejectionReason = deferralRejection(context) {
      outbox.notify(LocationNotice.deferralEnded(number, rejectionReason))
      return
    }
    deferrals.begin(
      Deferral(
        number, distance: distance, time: time, at: context.instant,
        odometer: context.odometer(of: demand.provider)))
    if deferrals.hasEnds { flush(context, &outbox) }
    checkDeferral(context, &outbox)
  }

  /// Returns the reason why updates cannot be deferred now; nil when they can be deferred.
  private func deferralRejection(_ context: ServiceContext) -> DeferralEnd? {
    if !LocationUpdates.canDefer(context) { return .unsupported }
    guard phase.isRunning, demand.status == nil || demand.status == .served else { return .notUpdating }
    if request.filter != nil || defaults(context).filter != nil { return .distanceFiltered }
    return ladder.wanted.needsReceiver ? nil : .accuracyTooLow
  }

  /// Ends the deferral when one of its bounds is reached.
  private mutating func checkDeferral(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let bounds = deferrals.reached(at: context.instant, odometer: context.odometer(of: demand.provider))
    if !bounds.isEmpty { endDeferral(.reached(bounds), context, &outbox) }
  }

  /// Ends a running deferral and requests delivery of all held fixes.
  private mutating func endDeferral(
    _ end: DeferralEnd, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if deferrals.end(end) { flush(context, &outbox) }
  }

  /// Makes the device deliver its held fixes: replaces the demand for which the device holds these fixes.
  private mutating func flush(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if demand.isRaised, demand.wants.latency != nil { updateDemands(context, &outbox, again: true) }
    if !demand.isDraining { finishEnds(context, &outbox) }
  }

  /// Delivers the fixes and then the ends of deferrals, after all held fixes of the device have arrived.
  private mutating func finishEnds(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard !demand.isDraining, deferrals.hasEnds else { return }
    deliver(context, &outbox, unfiltered: true)
    for (number, end) in deferrals.drainEnds() { outbox.notify(LocationNotice.deferralEnded(number, end)) }
  }
}
