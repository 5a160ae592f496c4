import StintModel
import StintUnits

/// For how long the last position that was handed over is good enough: within a bound in 95 of 100 seconds, as far as
/// what a device knows can tell.
///
/// It knows where it was seen last and how fast it moved then, how it is moved since, how fast and how straight its
/// ways have been, and how much of the time the bound was missed so far. A new position is wanted on the first full
/// second at which the bound may be passed; while the device is off, its search must begin so much earlier. Seconds in
/// which the bound may be missed are saved up and spent where fixes come thick, because there each second buys the most.
struct Respite: Hashable, Sendable {
  /// How much of the way to the bound is used, of what estimates say; and at least, when too much was missed.
  private static let trusted = 1.0
  private static let leastTrusted = 0.87
  /// So many seconds missed too much take all trust.
  private static let patience = 400.0
  /// However much is spare, a wait never leads further beyond the bound, in bounds.
  private static let farthest = 15.0
  /// Having come to rest at the bound, it is seen once more after so many seconds; later the nearer it is.
  private static let settling = 5.0
  /// What is seen so near to the bound may have been beyond it: in metres, and in seconds at its speed.
  private static let doubt = 3.0
  private static let haste = 0.1
  /// At rest, what is nearer to where it was seen before than this, in metres, is an error of the two.
  private static let error = 5.0

  /// The bound, in metres.
  let bound: Double
  /// How long a fix takes, in seconds, from when the device is switched on.
  let lead: Double

  /// When the last position has served its time, less what a search takes while the device is off; the distant past when
  /// there is none.
  private(set) var due = Instant(nanoseconds: .min)
  private(set) var isOn = true

  private var handed: Coordinate?
  private var handedAt = Instant.epoch
  private var seen: Coordinate?
  private var radius = 0.0
  /// Metres from the hand-over to where it was seen last.
  private var base = 0.0
  private var straightness = Straightness()
  private var way = ReckonedWay()
  private var ledger = MissLedger()
  /// Up to when and how far the way is in the ledger.
  private var entered = Instant.epoch
  private var enteredWay = 0.0

  init(bound: Double, lead: Double) {
    self.bound = bound
    self.lead = lead
  }

  /// Seconds from now on; below zero when a new position is overdue, nil before the first.
  func value(at now: Instant) -> Double? {
    handed == nil ? nil : (due - now).seconds
  }

  // MARK: What happens

  /// How it is moved, from now on; nil when nobody can tell.
  mutating func moves(_ activity: Activity?, at now: Instant) {
    enter(now)
    way.moves(activity, at: now)
    plan(now)
  }

  /// The device is on or off, from now on.
  mutating func isSwitched(on: Bool, at now: Instant) {
    guard isOn != on else { return }
    isOn = on
    plan(now)
  }

  /// It was seen here, moving so fast, known to so many metres.
  mutating func sees(_ place: Coordinate, speed: Double, radius: Double, at now: Instant) {
    enter(now)
    let metres = way.metres(at: now)
    straightness.goes(metres)
    if let seen { way.creeps(max(0, seen.distance(to: place) - Self.error), at: now) }
    if let handed {
      let distance = handed.distance(to: place)
      if base == 0 { straightness.learn(distance, of: metres, for: way.activity) }
      let certain = reach(radius) - Self.doubt - Self.haste * way.speed(at: now)
      count(distance, within: certain, at: now)
      base = distance
    }
    seen = place
    self.radius = radius
    enteredWay = 0
    way.sees(speed, at: now)
    plan(now)
  }

  /// What was seen last is handed over.
  mutating func handsOver(at now: Instant) {
    guard let seen else { return }
    if handed != nil { ledger.lives((now - handedAt).seconds) }
    straightness.stops(at: seen)
    handed = seen
    handedAt = now
    base = 0
    plan(now)
  }

  // MARK: Reckoning

  /// How far it may be from where it was handed over.
  private func reach(_ radius: Double) -> Double { max(bound - radius, bound / 5) }

  private mutating func enter(_ now: Instant) {
    let metres = way.metres(at: now)
    if handed != nil { ledger.moves(max(0, metres - enteredWay), in: max(0, (now - entered).seconds)) }
    entered = max(now, entered)
    enteredWay = metres
  }

  /// Enters how long it was too far off since it was seen last. The way that was reckoned leads to where it is seen now;
  /// what it does not explain went on all the time.
  private mutating func count(_ distance: Double, within reach: Double, at now: Instant) {
    guard distance > reach, let start = way.seenAt else { return }
    if base > reach {
      ledger.misses(from: start, before: now)
      return
    }
    let metres = way.metres(at: now)
    let span = max((now - start).seconds, 1e-9)
    let known = min(1, distance / max(metres, 1e-9))
    let unknown = max(0, distance - metres) / span
    let share = base > 0 ? max(0, distance - base) / distance : 1
    var last = (instant: start, metres: base)
    for mark in way.marks + [ReckonedWay.Mark(instant: now, metres: metres)] {
      let gone = base + (mark.metres * known + unknown * (mark.instant - start).seconds) * share
      if gone >= reach {
        let part = max(0, (reach - last.metres) / max(gone - last.metres, 1e-9))
        let passed = last.instant + Self.span((mark.instant - last.instant).seconds * part)
        ledger.misses(after: passed, before: now)
        return
      }
      last = (mark.instant, gone)
    }
  }

  /// Finds when the position will have served its time, if all goes on as it does.
  private mutating func plan(_ now: Instant) {
    guard handed != nil else { return }
    let reach = reach(radius)
    if way.isResting {
      let distance = base + way.metres(at: now)
      let share = reach / max(distance, 0.01)
      let settled = way.restsSince + Self.span(Self.settling * share)
      let crept = now + Self.span((reach - distance) / way.mean)
      // What was handed over at rest need not be looked at again for having come to rest.
      let wanted = (handedAt > way.restsSince ? crept : min(crept, max(now, settled))).fullSecond
      due = isOn ? wanted + grace(now) : max(wanted - searching, now)
      return
    }
    let straight = straightness.value(for: way.activity)
    let distance = base + way.metres(at: now) * straight
    let pace = max(way.speed(at: now), way.mean / 2)
    let left = (limit(reach, pace, straight, at: now) - distance) / straight
    let doubted = way.doubtedUntil.flatMap { $0 > now ? $0 : nil }
    guard left > 0 || doubted != nil else {
      due = isOn ? now : now - searching
      return
    }
    let passed = left > 0 ? (now + Self.span(way.seconds(for: left, from: pace))).fullSecond : now
    let wanted = max(passed, doubted?.fullSecond ?? passed)
    // Nothing is searched for while it may turn out that nothing happened.
    due = isOn ? wanted + grace(now) : max(wanted - searching, doubted ?? wanted - searching)
  }

  /// What a search takes, and a moment, so that it ends before the second does.
  private var searching: TimeSpan { Self.span(lead) + TimeSpan(nanoseconds: 1_000) }

  /// While fixes come each second, the one of that second shall speak first.
  private func grace(_ now: Instant) -> TimeSpan {
    guard let seenAt = way.seenAt, now - seenAt < .milliseconds(1500) else { return .zero }
    return .milliseconds(1)
  }

  /// How far it may be before a new position is wanted.
  private func limit(_ reach: Double, _ pace: Double, _ straight: Double, at now: Instant) -> Double {
    let spare = ledger.spare((now - handedAt).seconds)
    guard spare >= 0 else {
      return reach * max(Self.leastTrusted, Self.trusted * (1 + spare / Self.patience))
    }
    let beyond = pace * straight * ledger.spends(spare, at: pace)
    return min(reach * Self.trusted + beyond, reach * Self.farthest)
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(seconds: min(max(seconds, -1), 86_400)) ?? .zero
  }
}
