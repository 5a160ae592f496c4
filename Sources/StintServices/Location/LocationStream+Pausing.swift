import StintModel
import StintUnits

extension LocationStream {
  /// Whose fact `motion.activity` tells of movement, for little.
  static var motionSensor: DeviceID { "motion.accelerometer" }

  /// The position is unlikely to change: the device may rest.
  mutating func pause(
    at place: Coordinate, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    endDeferral(.notUpdating, context, &outbox)
    watchMotion(context, &outbox)
    phase = .paused(
      LocationPause(
        at: place, reach: watch.rule.reach, isWatched: motion != nil, at: context.instant))
    patience.end()
    updateDemands(context, &outbox)
    outbox.notify(LocationNotice.paused)
  }

  mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    phase = .running
    watch.restart()
    settlesBy = context.instant + LocationDefaults.settling
    if demand != nil { patience.begin(at: context.instant) }
    stopWatchingMotion(&outbox)
    outbox.notify(LocationNotice.resumed)
    updateDemands(context, &outbox)
    if !kept.isEmpty { deliver(context, &outbox) }
  }

  mutating func checkMovement(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .paused(var pause) = phase else { return }
    pause.ring(at: context.instant)
    phase = .paused(pause)
    if !pause.isLooking { kept.removeAll(keepingCapacity: true) }
    updateDemands(context, &outbox)
  }

  /// Something moves, or no longer does.
  mutating func move(_ isMoving: Bool, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard motion != nil else { return }
    switch phase {
    case .running: return
    case .paused(var pause):
      let isOver = pause.ingest(isMoving: isMoving, at: context.instant)
      phase = .paused(pause)
      if isOver { resume(context, &outbox) }
    case .resting:
      // Only who was still can have left.
      if isMoving, wasStill { retry(context, &outbox) }
      wasStill = !isMoving
    }
  }

  mutating func motionFailed(_ context: ServiceContext) {
    guard case .paused(var pause) = phase else { return }
    pause.lose(at: context.instant)
    phase = .paused(pause)
  }

  mutating func watchMotion(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    wasStill = false
    guard motion == nil, context.isAvailable(Self.motionSensor) else { return }
    motion = outbox.raise(
      Self.motionSensor,
      DemandSettings(
        period: LocationDefaults.motionPeriod, latency: LocationDefaults.motionLatency,
        background: request.background))
  }

  mutating func stopWatchingMotion(_ outbox: inout ServiceOutbox) {
    if let motion { outbox.release(motion) }
    motion = nil
  }

  // MARK: Giving up

  /// When it gives up, unless a good fix comes; nil while nothing is tried, or never.
  var givesUpAt: Instant? {
    guard let retry = request.retry, let since = patience.since else { return nil }
    return since + retry.patience
  }

  mutating func giveUpIfDue(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let due = givesUpAt, context.instant >= due, let schedule = request.retry else { return }
    // It gets better: a little more patience.
    if patience.hasFix, trend.verdict == .improving {
      patience.extend(by: LocationDefaults.fixAge)
      return
    }
    patience.fail()
    let next = context.instant + schedule.wait(after: patience.failures)
    phase = .resting(until: next)
    endDeferral(.notUpdating, context, &outbox)
    updateDemands(context, &outbox)
    if schedule.wakesOnMotion { watchMotion(context, &outbox) }
    outbox.notify(LocationNotice.gaveUp(next: next))
  }

  mutating func retry(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    phase = .running
    stopWatchingMotion(&outbox)
    updateDemands(context, &outbox)
  }
}
