import StintModel
import StintUnits

extension LocationStream {
  /// Pauses updates because the position is unlikely to change.
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

  /// Begins the next position probe of a pause, or ends a probe without a fix.
  mutating func advancePause(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .paused(var pause) = phase else { return }
    pause.ring(at: context.instant)
    phase = .paused(pause)
    if !pause.isProbing { kept.removeAll(keepingCapacity: true) }
    updateDemands(context, &outbox)
  }

  /// Processes a report that movement began or ended.
  mutating func move(_ isMoving: Bool, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard motion != nil else { return }
    switch phase {
    case .running: return
    case .paused(var pause):
      let isOver = pause.ingest(isMoving: isMoving, at: context.instant)
      phase = .paused(pause)
      if isOver { resume(context, &outbox) }
    case .resting:
      // Try again only when movement begins after a standstill: the reception may then have changed.
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
    guard motion == nil, let sensor = context.device(for: .activity) else { return }
    motionSensor = sensor
    motion = outbox.raise(
      sensor,
      DemandSettings(
        period: LocationDefaults.motionPeriod, latency: LocationDefaults.motionLatency,
        background: request.background))
  }

  mutating func stopWatchingMotion(_ outbox: inout ServiceOutbox) {
    if let motion { outbox.release(motion) }
    motion = nil
  }

  // MARK: Suspending

  /// The instant at which updates are suspended unless a good fix arrives; nil when the request has no retry
  /// schedule or no attempt is in progress.
  var givesUpAt: Instant? {
    guard let retry = request.retry, let since = patience.since else { return nil }
    return since + retry.patience
  }

  mutating func giveUpIfDue(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let due = givesUpAt, context.instant >= due, let schedule = request.retry else { return }
    // The accuracy improves, so the attempt is extended.
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
