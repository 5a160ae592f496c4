import StintModel
import StintUnits

extension LocationStream {
  mutating func handle(_ batch: Batch, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let latest = seen[batch.device]
    let fixes = LocationFix.fixes(in: batch, askedAt: askedAt, at: context.instant).filter { fix in
      latest.map { fix.instant > $0 } ?? true
    }
    guard let last = fixes.last else { return }
    seen[batch.device] = last.instant
    kept += selected(fixes, of: batch.device)
    kept.sort { $0.instant < $1.instant }
    // A device without a log delivers each fix at once, so the stream holds the fixes of a deferral. When
    // their number reaches the limit, a deferral ends as `full`. Without a deferral, the oldest fixes are
    // dropped.
    if kept.count > LocationDefaults.maxHeld, deferral == nil {
      kept.removeFirst(kept.count - LocationDefaults.maxHeld)
    }
    let isFull = batch.reason == .full || kept.count >= LocationDefaults.maxHeld
    if isFull { endDeferral(.full, context, &outbox) }
    if case .running = phase, !isHolding, ends.isEmpty { deliver(context, &outbox) }
  }

  /// Returns the fixes that the client gets at its rate. Returns all fixes unless the client requested a
  /// period or a rule slows the updates down.
  private mutating func selected(_ fixes: [LocationFix], of device: DeviceID) -> [LocationFix] {
    guard request.period != nil || period > ladder.usualPeriod ?? .seconds(1) else { return fixes }
    return fixes.filter { decimators[device, default: Decimator()].selects($0.instant, every: period) }
  }

  /// True while fixes wait for the end of a deferral.
  var isHolding: Bool { deferral != nil && isInBackground }

  /// Delivers all kept fixes at once and in order.
  ///
  /// - Parameter unfiltered: true for deferred fixes, to which the distance filter does not apply.
  mutating func deliver(
    _ context: ServiceContext, _ outbox: inout ServiceOutbox, unfiltered: Bool = false
  ) {
    guard let last = kept.last else { return }
    if isCurrent(last, at: context.instant) {
      // A poor fix is dropped when a more accurate step can be requested at once.
      if ladder.isGood(last.accuracy) { ladder.descend() } else if ladder.climb() { kept.removeLast() }
    }
    var fixes: [LocationFix] = []
    let defaults = policyDefaults(context)
    filter.metres = request.filter ?? defaults.filter
    let isBlurred = request.fuzz || defaults.fuzz == true
    for fix in kept where isWanted(fix, unfiltered, at: context.instant) {
      let flagged = fix.flagged(isStale: !isCurrent(fix, at: context.instant), asked: ladder.asked)
      fixes.append(isBlurred ? flagged.blurred(to: ladder.asked) : flagged)
      if !flagged.isStale { lastDelivered = max(lastDelivered ?? fix.instant, fix.instant) }
    }
    kept.removeAll(keepingCapacity: true)
    if !fixes.isEmpty { outbox.notify(LocationNotice.fixes(fixes)) }
    updateDemands(context, &outbox)
  }

  /// Returns the policies' defaults for the requested device and the serving device.
  func policyDefaults(_ context: ServiceContext) -> ServiceDefaults {
    let target = ladder.target(context).flatMap { context.defaults(of: $0)?.services } ?? ServiceDefaults()
    return provider.flatMap { context.defaults(of: $0)?.services }.map(target.merged) ?? target
  }

  /// Returns whether the fix is current: fresh, and not older than the last current fix of the client.
  private func isCurrent(_ fix: LocationFix, at now: Instant) -> Bool {
    fix.isFresh(at: now, maxAge: request.maxAge) && lastDelivered.map { fix.instant >= $0 } ?? true
  }

  private mutating func isWanted(_ fix: LocationFix, _ unfiltered: Bool, at now: Instant) -> Bool {
    // An old cached fix is delivered only when the client has no fix yet. The distance filter ignores such a
    // fix, so the filter does not suppress a fresh fix at the same position.
    if fix.isCached, !isCurrent(fix, at: now) { return lastDelivered == nil && settlesBy == nil }
    if settlesBy != nil {
      guard ladder.isGood(fix.accuracy), isCurrent(fix, at: now) else { return false }
      settlesBy = nil
    }
    if !ladder.wanted.needsReceiver, isCoarserThanAvailable(fix) { return false }
    // A finer device that served another client published a better fix recently.
    if let piggybackedFix, fix.accuracy > piggybackedFix.accuracy,
      fix.instant - piggybackedFix.instant <= period
    {
      return false
    }
    if let lastDelivered, fix.instant < lastDelivered { return true }
    return filter.admits(fix.coordinate) || unfiltered
  }

  /// Returns true when this fix is poorer than requested, and a fix with the requested accuracy is still
  /// fresh. The accuracy of Wi-Fi and cell lookups varies from fix to fix.
  private mutating func isCoarserThanAvailable(_ fix: LocationFix) -> Bool {
    if fix.accuracy <= ladder.asked {
      lastGood = fix.instant
      return false
    }
    let freshness = period.times(LocationDefaults.periodsOfGood, capped: LocationDefaults.longestHold)
    return lastGood.map { fix.instant - $0 < freshness } ?? false
  }

  // MARK: Facts

  /// Applies a change of the client's presence.
  mutating func updatePresence(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isInBackground != context.isInBackground else { return }
    isInBackground.toggle()
    updateDemands(context, &outbox)
  }

  mutating func ingest(
    _ path: String, _ value: FactValue, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch path {
    case "app.state": updatePresence(context, &outbox)
    case "motion.activity":
      guard case .symbol(let word) = value else { return }
      move(word != Self.stillIndex, context, &outbox)
    default:
      // `.distance` is the last fact of a fix, so the other facts are already set.
      guard let provider, path.hasSuffix(".distance") else { return }
      if path == "\(provider.path).distance" {
        observe(provider, context, &outbox)
      } else if let device = context.roles.devices(.positioning).first(where: {
        path == "\($0.path).distance"
      }) {
        usePiggybackedFix(device, over: provider, context, &outbox)
      }
    }
  }

  /// The index of `still` in the words of the activity fact.
  private static var stillIndex: Int { 0 }

  /// Uses the fix of a more accurate device that is on for other clients. Such a fix costs no extra energy.
  private mutating func usePiggybackedFix(
    _ device: DeviceID, over provider: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard case .running = phase, !isHolding, ends.isEmpty,
      context.rank(of: device) > context.rank(of: provider)
    else { return }
    if let piggybackedFix, context.instant - piggybackedFix.instant < period { return }
    guard let (place, radius) = lastFix(of: device, context) else { return }
    let fix = LocationFix(instant: context.instant, coordinate: place, accuracy: radius, device: device)
    piggybackedFix = fix
    // `handle` then drops earlier fixes that this device delivers later.
    seen[device] = context.instant
    kept.append(fix)
    deliver(context, &outbox)
  }

  private func lastFix(of device: DeviceID, _ context: ServiceContext) -> (Coordinate, radius: Double)? {
    let name = device.path
    guard case .number(let latitude) = context.fact("\(name).latitude"),
      case .number(let longitude) = context.fact("\(name).longitude"),
      case .number(let radius) = context.fact("\(name).accuracy"),
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return (place, radius)
  }

  /// Processes a fix of the serving device, whether it is delivered or not.
  private mutating func observe(
    _ provider: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard let (place, radius) = lastFix(of: provider, context) else { return }
    let lasting = max(wants.period ?? .zero, LocationDefaults.fixAge)
    patience.fixArrived(isGood: ladder.isGood(radius), at: context.instant, lasting: lasting)
    trend.add(radius, at: context.instant)
    switch phase {
    case .running:
      checkDeferral(context, &outbox)
      guard request.pausing else { return }
      watch.add(place, radius: radius, at: context.instant)
      if let rest = watch.restPosition(at: context.instant) { pause(at: rest, context, &outbox) }
    case .paused(var pause):
      guard pause.isProbing else { return }
      let hasLeft = pause.found(place, radius: radius, at: context.instant)
      phase = .paused(pause)
      if hasLeft { resume(context, &outbox) } else { endProbe(context, &outbox) }
    case .resting: return
    }
  }

  private mutating func endProbe(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    kept.removeAll(keepingCapacity: true)
    updateDemands(context, &outbox)
  }

  mutating func ingest(
    _ event: DeviceEvent, of device: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch event {
    case .fault(let text) where device == provider:
      outbox.notify(ServiceFailure(.failed, "“\(device)” has a fault: \(text)"))
      endDeferral(.failed, context, &outbox)
    case .available(false) where device == provider: endDeferral(.failed, context, &outbox)
    case .available(false) where device == motionSensor: motionFailed(context)
    default: return
    }
  }
}

extension ServiceContext {
  /// Returns the rank of the device on its ladder; 0 without a ladder.
  fileprivate func rank(of device: DeviceID) -> Int { manifest(device)?.ladder?.rank ?? 0 }
}
