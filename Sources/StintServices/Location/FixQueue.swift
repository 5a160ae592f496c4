import StintModel
import StintUnits

/// The fixes that a location stream holds, and the selection of the fixes that its client gets.
struct FixQueue: Sendable {
  /// The held fixes, oldest first.
  private var kept: [Fix] = []
  /// The instant of the newest fix of each device.
  private var newestByDevice: [DeviceID: Instant] = [:]
  /// For each device, the selection of fixes at the rate of the client.
  private var decimators: [DeviceID: Decimator] = [:]
  private var filter: DistanceFilter
  /// The last fix of a finer device that was on for other clients.
  private var piggybackedFix: Fix?
  /// The instant of the last fix that was delivered as current.
  private var lastDelivered: Instant?
  /// The instant of the last fix with the requested accuracy. Used only when this accuracy needs no
  /// satellite receiver.
  private var lastGood: Instant?
  /// The instant until which fixes poorer than requested are withheld after a pause.
  private(set) var settlesBy: Instant?

  /// The settings by which a delivery selects fixes.
  struct Selection {
    /// The instant of the delivery.
    var now: Instant
    /// The largest age of a current fix.
    var maxAge: TimeSpan
    /// The present time between two fixes.
    var period: TimeSpan
    /// The least distance between two deliveries in metres; nil for every fix.
    var distance: Double?
    /// True for deferred fixes, to which the distance filter does not apply.
    var isUnfiltered: Bool
    /// Whether fixes are coarsened to the requested accuracy.
    var isBlurred: Bool
  }

  init(distance: Double?) { filter = DistanceFilter(metres: distance) }

  var isEmpty: Bool { kept.isEmpty }
  var isFull: Bool { kept.count >= LocationDefaults.maxHeld }

  // MARK: Adding

  /// Adds the new fixes of a batch. Returns false without new fixes.
  ///
  /// - Parameters:
  ///   - period: the time between two fixes that the client gets; nil for all fixes.
  ///   - isBounded: true to drop the oldest fixes above `LocationDefaults.maxHeld`.
  mutating func add(
    _ fixes: [Fix], of device: DeviceID, every period: TimeSpan?, isBounded: Bool
  ) -> Bool {
    let latest = newestByDevice[device]
    let fresh = fixes.filter { fix in latest.map { fix.instant > $0 } ?? true }
    guard let last = fresh.last else { return false }
    newestByDevice[device] = last.instant
    for fix in fresh {
      guard let period else {
        kept.append(fix)
        continue
      }
      if decimators[device, default: Decimator()].selects(fix.instant, every: period) { kept.append(fix) }
    }
    kept.sort { $0.instant < $1.instant }
    if isBounded, kept.count > LocationDefaults.maxHeld {
      kept.removeFirst(kept.count - LocationDefaults.maxHeld)
    }
    return true
  }

  /// Returns whether a fix of a finer device, which is on for other clients, may be used now. At most one
  /// such fix is used per period.
  func usesPiggyback(at instant: Instant, period: TimeSpan) -> Bool {
    piggybackedFix.map { instant - $0.instant >= period } ?? true
  }

  /// Adds the fix of a finer device that is on for other clients.
  mutating func addPiggybacked(_ fix: Fix) {
    piggybackedFix = fix
    // `add` then drops all fixes of this device that are not newer.
    newestByDevice[fix.device] = fix.instant
    kept.append(fix)
  }

  /// Restarts the selection of fixes, because the rate has changed.
  mutating func restartSelection() { decimators.removeAll() }

  /// Withholds fixes poorer than requested until an instant, after a pause.
  mutating func withholdPoor(until instant: Instant) { settlesBy = instant }

  /// Ends the withholding of poor fixes when its last instant is reached.
  mutating func fire(at instant: Instant) {
    if let settlesBy, instant >= settlesBy { self.settlesBy = nil }
  }

  /// Sets the distance filter; nil admits every fix.
  mutating func set(distance: Double?) { filter.metres = distance }

  /// Discards the held fixes.
  mutating func discard() { kept.removeAll(keepingCapacity: true) }

  // MARK: Delivering

  /// Removes all held fixes, and returns those for the client, in order. If the last fix is current, its
  /// accuracy determines the next step of `ladder`.
  mutating func deliver(_ selection: Selection, _ ladder: inout PositioningLadder) -> [Fix] {
    guard let last = kept.last else { return [] }
    if isCurrent(last, selection) {
      // A poor fix is dropped when a more accurate step can be requested at once.
      if ladder.isGood(last.accuracy) { ladder.descend() } else if ladder.climb() { kept.removeLast() }
    }
    filter.metres = selection.distance
    var fixes: [Fix] = []
    for fix in kept where isWanted(fix, selection, ladder) {
      let flagged = fix.flagged(isStale: !isCurrent(fix, selection), asked: ladder.asked)
      fixes.append(selection.isBlurred ? flagged.blurred(to: ladder.asked) : flagged)
      if !flagged.isStale { lastDelivered = max(lastDelivered ?? fix.instant, fix.instant) }
    }
    discard()
    return fixes
  }

  /// Returns whether the fix is current: fresh, and not older than the last current fix of the client.
  private func isCurrent(_ fix: Fix, _ selection: Selection) -> Bool {
    fix.isFresh(at: selection.now, maxAge: selection.maxAge)
      && lastDelivered.map { fix.instant >= $0 } ?? true
  }

  private mutating func isWanted(
    _ fix: Fix, _ selection: Selection, _ ladder: PositioningLadder
  ) -> Bool {
    // An old cached fix is delivered only when the client has no fix yet. The distance filter ignores such a
    // fix, so the filter does not suppress a fresh fix at the same position.
    if fix.isCached, !isCurrent(fix, selection) { return lastDelivered == nil && settlesBy == nil }
    if settlesBy != nil {
      guard ladder.isGood(fix.accuracy), isCurrent(fix, selection) else { return false }
      settlesBy = nil
    }
    if !ladder.wanted.needsReceiver, isCoarserThanAvailable(fix, selection, ladder) { return false }
    // A finer device that served another client published a better fix recently.
    if let piggybackedFix, fix.accuracy > piggybackedFix.accuracy,
      fix.instant - piggybackedFix.instant <= selection.period
    {
      return false
    }
    if let lastDelivered, fix.instant < lastDelivered { return true }
    return filter.admits(fix.coordinate) || selection.isUnfiltered
  }

  /// Returns true when this fix is poorer than requested, and a fix with the requested accuracy is still
  /// fresh. The accuracy of Wi-Fi and cell lookups varies from fix to fix. Records the instant of a fix with
  /// the requested accuracy.
  private mutating func isCoarserThanAvailable(
    _ fix: Fix, _ selection: Selection, _ ladder: PositioningLadder
  ) -> Bool {
    if fix.accuracy <= ladder.asked {
      lastGood = fix.instant
      return false
    }
    let freshness = selection.period.times(
      LocationDefaults.periodsOfGood, capped: LocationDefaults.longestHold)
    return lastGood.map { fix.instant - $0 < freshness } ?? false
  }
}
