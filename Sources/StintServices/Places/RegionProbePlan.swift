import StintModel
import StintUnits

/// Plans the position probes of region monitoring: when the next probe begins, and which device it uses.
///
/// The plan measures from the last useful position, and adds the metres that the host can have moved since. A
/// probe begins when the host can have reached a border. The probe uses the cheapest device whose positions
/// can show on which side of the border the host is. When the position does not show the side, a finer device
/// follows.
struct RegionProbePlan: Sendable {
  /// The shortest time between two probes, unless a finer device follows a coarser device.
  static let shortest = TimeSpan.seconds(30)
  /// The longest time between two probes while the host moves, or while a region is unknown.
  static let longest = TimeSpan.minutes(15)
  /// The time between two probes while the host rests. These probes detect movement that the motion sensor
  /// missed.
  static let atRest = TimeSpan.hours(2)
  /// The numbers of probes at rest with a pause of `shortest` between them. After `fewest` probes, the pause
  /// is `atRest` if the mean position makes the known state of the region likely. Otherwise, after `most`
  /// probes, each further probe doubles the pause.
  static let quickProbes: (fewest: Int, most: Int) = (2, 5)
  /// The distance from the border at which a position makes a state likely. The unit is the position's 95 %
  /// radius. About one of ten positions on the wrong side of the border is farther from the border than
  /// this distance.
  private static let likely = 1.0 / 3
  /// The time that a receiver needs for a fix after a cold start, in seconds.
  private static let coldStart = 45.0
  /// The longest distance, in metres, from a region at which a receiver is started early for a cold start.
  private static let longestLead = 120.0
  /// The longest time for which a movement remains unnoticed, in seconds.
  private static let noticeDelay = 6.0

  /// The position from which distances are measured; nil before the first position.
  private var origin: Fix?
  /// The metres that the host can have moved from `origin` until `driftedUntil`.
  private var drifted = 0.0
  private var driftedUntil = Instant.epoch
  /// The highest plausible speed now, in metres per second.
  private var speed = 0.0
  private var isResting = false
  /// The mean of the fixes since the host came to rest; nil before the first such fix.
  private var rest: RestPosition?
  /// The number of probes that found a position since the host came to rest.
  private var probesAtRest = 0
  /// The device of the last probe that found a position.
  private var lastSource: PositionSource?
  /// The instant at which the last probe began.
  private var lastProbe = Instant.epoch
  private var records: [DeviceID: ProbeRecord] = [:]

  /// Records the movement of the host from this instant on.
  mutating func note(_ movement: MovementDetector, at now: Instant) {
    drifted = drift(at: now)
    driftedUntil = now
    let wasResting = isResting
    isResting = movement.isMoving == false
    speed = isResting ? 0 : movement.topSpeed
    guard isResting != wasResting else { return }
    rest = nil
    probesAtRest = 0
    guard wasResting else { return }
    drifted += speed * Self.noticeDelay
    for device in records.keys { records[device]?.moved() }
  }

  /// Records that a probe begins.
  mutating func began(at now: Instant) { lastProbe = now }

  /// Records that a probe found no position.
  mutating func failed(_ source: PositionSource, at now: Instant) {
    let pause = isResting && source.isExpensive ? ProbeRecord.pauseAtRest : ProbeRecord.pauses.lowerBound
    records[source.device, default: ProbeRecord()].failed(at: now, pause: pause)
  }

  /// Records a position and returns the position that the regions observe. While the host rests, this is the
  /// mean of the positions since it came to rest. While the host does not rest, this is the recorded
  /// position.
  mutating func ingest(_ fix: Fix, _ watches: [RegionWatch], at now: Instant) -> Fix {
    records[fix.device, default: ProbeRecord()].succeeded(at: now)
    var seen = fix
    if isResting {
      if rest == nil { rest = RestPosition(fix) } else { rest?.ingest(fix) }
      seen = rest?.mean ?? fix
    }
    guard replacesOrigin(seen, watches, at: now) else { return seen }
    origin = seen
    driftedUntil = now
    drifted = speed * max(.zero, now - seen.instant).seconds
    return seen
  }

  /// Records the device of a probe that found a position.
  mutating func succeeded(_ source: PositionSource) {
    lastSource = source
    if isResting { probesAtRest += 1 }
  }

  /// Returns the longest wait for a position of a device.
  func timeout(_ source: PositionSource, at now: Instant) -> TimeSpan {
    isWarm(source, at: now) ? ProbeRecord.warmTimeout : PositionProbe.timeout
  }

  // MARK: Distances

  private func drift(at now: Instant) -> Double {
    drifted + speed * max(.zero, now - driftedUntil).seconds
  }

  /// Returns whether a position is more useful than `origin`. The drift is the number of metres that the host
  /// can have moved since `origin`. A position is more useful when its radius exceeds the radius of `origin`
  /// by at most the drift. It is also more useful when, for every border, its proven distance is at least the
  /// proven distance of `origin` minus the drift. The proven distance is the distance to the border minus the
  /// 95 % radius.
  private func replacesOrigin(_ fix: Fix, _ watches: [RegionWatch], at now: Instant) -> Bool {
    guard let origin else { return true }
    let drift = drift(at: now)
    if fix.accuracy <= origin.accuracy + drift { return true }
    return watches.allSatisfy {
      $0.gap(from: fix) - fix.accuracy >= max(0, $0.gap(from: origin) - origin.accuracy - drift)
    }
  }

  /// Returns the smallest number of metres that the host must still move to reach the border. Zero or less
  /// when the host may have crossed the border.
  private func slack(_ watch: RegionWatch, _ origin: Fix, _ drift: Double) -> Double {
    watch.gap(from: origin) - origin.accuracy - drift
  }

  /// Returns whether a finer position is worth its energy. The result is true when the state is unknown or
  /// changes, when the host seems to have crossed the border, or when the host is outside and moves.
  private func isDoubtful(_ watch: RegionWatch, _ origin: Fix) -> Bool {
    guard watch.isSettled, let agreement = watch.agreement(with: origin) else { return true }
    if isResting { return agreement < -origin.accuracy * Self.likely }
    return watch.crossing.isInside == false || agreement < 0
  }

  // MARK: The next probe

  /// Returns the instant at which the next probe begins.
  func due(_ watches: [RegionWatch], _ sources: [PositionSource], at now: Instant) -> Instant {
    let retry = sources.map { records[$0.device]?.retryAt ?? .epoch }.min() ?? .distantFuture
    guard let origin else { return max(now, retry) }
    if finer(watches, sources, at: now) != nil { return now }
    let drift = drift(at: now)
    var due = lastProbe + (isResting ? Self.atRest : Self.longest)
    for watch in watches {
      let slack = slack(watch, origin, drift)
      if slack <= 0 {
        due = min(due, lastProbe + pause(watch, origin))
      } else {
        if speed > 0, let span = TimeSpan(seconds: slack / speed) { due = min(due, now + span) }
        // A possible crossing is confirmed by another probe when the position is close to the border in
        // relation to its error.
        if watch.crossing.candidate != nil, slack < origin.accuracy {
          due = min(due, lastProbe + Self.shortest)
        }
      }
    }
    return max(due, lastProbe + Self.shortest, retry, now)
  }

  /// Returns the time between two probes of an undecided region.
  private func pause(_ watch: RegionWatch, _ origin: Fix) -> TimeSpan {
    guard isResting else { return Self.shortest }
    if watch.isSettled, let agreement = watch.agreement(with: origin),
      agreement > origin.accuracy * Self.likely, probesAtRest >= Self.quickProbes.fewest
    {
      return Self.atRest
    }
    return DoublingPause(Self.shortest, upTo: watch.isSettled ? Self.atRest : Self.longest)
      .doubled(probesAtRest - Self.quickProbes.most)
  }

  // MARK: The device

  /// Returns the device of the next probe. Nil when no device is available, or when every available device
  /// failed a short time ago.
  func source(_ watches: [RegionWatch], _ sources: [PositionSource], at now: Instant) -> PositionSource? {
    if let finer = finer(watches, sources, at: now) { return finer }
    let usable = usable(sources, at: now)
    guard let origin else { return cheapest(usable, at: now) }
    let drift = drift(at: now)
    let open = watches.filter { !$0.isSettled || slack($0, origin, drift) <= 0 }
    let limit = (open.isEmpty ? watches : open).map { watch in
      // A region in a settled state is first checked with a coarse position, which can only show that the
      // state is doubtful.
      let radius = watch.region.radius.meters
      let floor = isDoubtful(watch, origin) ? Zone.accuracyToDecide(circleOf: radius) : 2 * radius
      return max(floor, watch.gap(from: origin) + origin.accuracy + drift)
    }.min()
    return cheapest(usable.filter { $0.accuracy <= limit ?? .infinity }, at: now)
      ?? usable.min { $0.accuracy < $1.accuracy }
  }

  /// Returns the finer device whose probe follows at once, because the last position did not decide a region.
  /// Nil when the last position was sufficient, or when no finer device is usable.
  private func finer(
    _ watches: [RegionWatch], _ sources: [PositionSource], at now: Instant
  ) -> PositionSource? {
    guard let origin, let last = lastSource, lastProbe <= origin.instant else { return nil }
    var limit = Double.infinity
    for watch in watches
    where slack(watch, origin, lead(watch, last)) <= 0 && mayFollow(last, watch, origin) {
      let decisive = Zone.accuracyToDecide(circleOf: watch.region.radius.meters)
      limit = min(limit, max(decisive, watch.gap(from: origin) + origin.accuracy))
    }
    guard limit < .infinity else { return nil }
    let usable = usable(sources, at: now).filter { $0.accuracy < last.accuracy }
    return cheapest(usable.filter { $0.accuracy <= limit }, at: now)
      ?? usable.min { $0.accuracy < $1.accuracy }
  }

  /// Returns the distance from a small region at which a finer device follows early, in metres. A receiver
  /// that starts cold then finds its position before the host can be inside the region, where the sky may be
  /// hidden.
  private func lead(_ watch: RegionWatch, _ last: PositionSource) -> Double {
    guard watch.crossing.isInside == false,
      last.accuracy > Zone.accuracyToDecide(circleOf: watch.region.radius.meters),
      last.accuracy <= 2 * watch.region.radius.meters
    else { return 0 }
    return min(speed * Self.coldStart, Self.longestLead)
  }

  /// Returns whether a finer device may follow, after a position of `last` left a region undecided.
  private func mayFollow(_ last: PositionSource, _ watch: RegionWatch, _ origin: Fix) -> Bool {
    let radius = watch.region.radius.meters
    // The positions of such a coarse device cannot even show that a state is doubtful.
    if last.accuracy > 2 * radius { return true }
    // At rest, the mean of several positions of a sufficiently fine device decides.
    if isResting, last.accuracy <= Zone.accuracyToDecide(circleOf: radius) { return false }
    return isDoubtful(watch, origin)
  }

  /// Returns whether a device exists that did not fail a short time ago.
  func canProbe(_ sources: [PositionSource], at now: Instant) -> Bool { !usable(sources, at: now).isEmpty }

  private func usable(_ sources: [PositionSource], at now: Instant) -> [PositionSource] {
    sources.filter { (records[$0.device]?.retryAt ?? .epoch) <= now }
  }

  /// Returns the device with the cheapest position now. Of equally cheap devices, returns the first.
  private func cheapest(_ sources: [PositionSource], at now: Instant) -> PositionSource? {
    sources.min { price($0, at: now) < price($1, at: now) }
  }

  private func price(_ source: PositionSource, at now: Instant) -> Energy {
    isWarm(source, at: now) ? source.repeatedEnergy : source.energy
  }

  private func isWarm(_ source: PositionSource, at now: Instant) -> Bool {
    records[source.device]?.isWarm(at: now) ?? false
  }
}
