import StintModel
import StintUnits

extension LocationStream {
  mutating func handle(
    _ command: LocationCommand, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch command {
    case .setBackground(let flag):
      guard !flag || context.client.mayBackground else {
        outbox.notify(ServiceFailure.lacksBackground(context.client.id))
        return
      }
      request.background = flag
    case .setActivity(let activity): follow(activity, context, &outbox)
    case .setAccuracy(let metres): setAccuracy(metres, context, &outbox)
    case .setFilter(let metres): setFilter(metres, context, &outbox)
    case .setPausing(let flag):
      request.pausing = flag
      if case .paused = phase, !flag { resume(context, &outbox) }
    case .deferUpdates(let number, let distance, let time):
      guard distance?.isFinite ?? true else {
        outbox.notify(
          ServiceFailure(.invalid, "the distance \(distance ?? 0) m is invalid; omit it for no bound"))
        return
      }
      beginDeferral(number, distance: distance, time: time, context, &outbox)
    case .askDeferral: outbox.notify(LocationNotice.canDefer(canDefer(context)))
    }
    updateDemands(context, &outbox)
  }

  private mutating func follow(
    _ activity: LocationActivity, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    request.activity = activity
    watch.follow(LocationDefaults.pauseRule(for: activity))
    // A position that counts as rest for a walker may be a stop at a red light for a driver.
    if case .paused = phase, watch.restPosition(at: context.instant) == nil { resume(context, &outbox) }
  }

  private mutating func setAccuracy(
    _ metres: Double?, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    var newRequest = request
    newRequest.accuracy = metres
    if let rejectionReason = newRequest.rejectionReason {
      outbox.notify(rejectionReason)
      return
    }
    request = newRequest
    ladder = PositioningLadder(request.meantAccuracy)
    if !ladder.wanted.needsReceiver { endDeferral(.accuracyTooLow, context, &outbox) }
  }

  private mutating func setFilter(
    _ metres: Double?, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    var newRequest = request
    newRequest.filter = metres
    if let rejectionReason = newRequest.rejectionReason {
      outbox.notify(rejectionReason)
      return
    }
    request = newRequest
    filter.metres = metres
    if metres != nil { endDeferral(.distanceFiltered, context, &outbox) }
  }

  // MARK: Deferral

  func canDefer(_ context: ServiceContext) -> Bool {
    context.roles.devices(.positioning).contains { device in
      context.isAvailable(device) && context.manifest(device).map(LocationUpdates.canDefer) == true
    }
  }

  private mutating func beginDeferral(
    _ number: Int, distance: Double?, time: TimeSpan?, _ context: ServiceContext,
    _ outbox: inout ServiceOutbox
  ) {
    if let rejectionReason = deferralRejection(context) {
      outbox.notify(LocationNotice.deferralEnded(number, rejectionReason))
      return
    }
    if let deferral { ends.append((deferral.number, .cancelled)) }
    deferral = Deferral(
      number, distance: distance, time: time, at: context.instant, odometer: odometer(context))
    if !ends.isEmpty { flush(context, &outbox) }
    checkDeferral(context, &outbox)
  }

  /// Returns the reason why updates cannot be deferred now; nil when they can.
  private func deferralRejection(_ context: ServiceContext) -> DeferralEnd? {
    if !canDefer(context) { return .unsupported }
    guard case .running = phase, status == nil || status == .served else { return .notUpdating }
    if request.filter ?? policyDefaults(context).filter != nil { return .distanceFiltered }
    return ladder.wanted.needsReceiver ? nil : .accuracyTooLow
  }

  func odometer(_ context: ServiceContext) -> Double? {
    guard let provider, case .number(let metres) = context.fact("\(provider.path).distance") else {
      return nil
    }
    return metres
  }

  /// Ends the deferral when one of its bounds is reached.
  mutating func checkDeferral(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard var running = deferral else { return }
    let bounds = running.reached(at: context.instant, odometer: odometer(context))
    deferral = running
    guard !bounds.isEmpty else { return }
    endDeferral(.reached(bounds), context, &outbox)
  }

  /// Ends a running deferral and requests delivery of all held fixes.
  mutating func endDeferral(
    _ end: DeferralEnd, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard let running = deferral else { return }
    deferral = nil
    ends.append((running.number, end))
    flush(context, &outbox)
  }

  /// Makes the device deliver its held fixes: replaces the demand for which the device holds these fixes.
  private mutating func flush(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if demand != nil, wants.latency != nil { updateDemands(context, &outbox, again: true) }
    if leaving.isEmpty { finishEnds(context, &outbox) }
  }

  /// Delivers the kept fixes and then the ends of deferrals. Does nothing before all held fixes have arrived.
  mutating func finishEnds(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard leaving.isEmpty, !ends.isEmpty else { return }
    deliver(context, &outbox, unfiltered: true)
    for (number, end) in ends { outbox.notify(LocationNotice.deferralEnded(number, end)) }
    ends.removeAll()
  }
}
