import StintModel
import StintUnits

/// Position validity is how long the last delivered position stays within a bound, in 95 of 100 seconds.
///
/// The estimate is made of dead reckoning from the last fix, a speed model, a detour factor and an error budget. It ends
/// on the first full second at which the device may be further away than the bound; while the device is off, it ends
/// earlier by the time that a search for a fix takes. Seconds in which the bound may be missed are saved in the error
/// budget and spent where fixes follow each other closely, because there each second saves the most energy.
struct PositionValidity: Hashable, Sendable {
  // Where these constants come from: ARCHITECTURE.md, "Estimation". All but `trusted` are fitted.

  /// The share of the distance to the bound that is used; the least share, when too much was missed.
  private static let trusted = 1.0
  private static let leastTrusted = 0.87
  /// Seconds of debt in the error budget at which the share would be zero.
  private static let patience = 400.0
  /// The most that a wait may lead beyond the bound, as a multiple of the bound, however much may be spent.
  private static let farthest = 15.0
  /// Seconds until one more fix is wanted of a device that came to rest at the bound; nearer by, they are more.
  private static let settling = 5.0
  /// A fix this close to the bound may have been beyond it: metres, and seconds at the speed of the device.
  private static let doubt = 3.0
  private static let haste = 0.1
  /// At rest, a distance between two fixes below this many metres is an error of the fixes.
  private static let error = 5.0

  /// The bound, in metres.
  let bound: Double
  /// How long a fix takes from when the device is switched on, in seconds.
  let lead: Double

  /// When the validity of the last position ends, less a search while the device is off; the distant past for none.
  private(set) var end = Instant(nanoseconds: .min)
  private(set) var isOn = true

  private var delivered: Coordinate?
  private var deliveredAt = Instant.epoch
  private var seen: Coordinate?
  private var radius = 0.0
  /// Metres from the delivered position to the last fix.
  private var base = 0.0
  private var detour = DetourFactor()
  private var way = DeadReckoning()
  private var budget = ErrorBudget()
  /// Up to which instant, and how many metres, the way is counted in the budget.
  private var counted = Instant.epoch
  private var countedWay = 0.0

  init(bound: Double, lead: Double) {
    self.bound = bound
    self.lead = lead
  }

  /// Seconds of validity that are left; below zero when a new position is overdue, nil before the first.
  func value(at now: Instant) -> Double? {
    delivered == nil ? nil : (end - now).seconds
  }

  // MARK: What happens

  /// Notes how the device is moved from now on; nil when that is unknown.
  mutating func moves(_ activity: Activity?, at now: Instant) {
    count(now)
    way.moves(activity, at: now)
    plan(now)
  }

  /// Notes that the device is on or off from now on.
  mutating func isSwitched(on: Bool, at now: Instant) {
    guard isOn != on else { return }
    isOn = on
    plan(now)
  }

  /// Reads a fix: a place, a speed in metres a second, and its radius in metres.
  mutating func sees(_ place: Coordinate, speed: Double, radius: Double, at now: Instant) {
    count(now)
    let metres = way.metres(at: now)
    detour.goes(metres)
    if let seen { way.creeps(max(0, seen.distance(to: place) - Self.error), at: now) }
    if let delivered {
      let distance = delivered.distance(to: place)
      if base == 0 { detour.learn(distance, of: metres, for: way.activity) }
      let certain = reach(radius) - Self.doubt - Self.haste * way.speed(at: now)
      countMisses(distance, within: certain, at: now)
      base = distance
    }
    seen = place
    self.radius = radius
    countedWay = 0
    way.sees(speed, at: now)
    plan(now)
  }

  /// Notes that the last fix was delivered to its clients.
  mutating func delivers(at now: Instant) {
    guard let seen else { return }
    if delivered != nil { budget.lives((now - deliveredAt).seconds) }
    detour.stops(at: seen)
    delivered = seen
    deliveredAt = now
    base = 0
    plan(now)
  }

  // MARK: Estimation

  /// How far the device may be from the delivered position, in metres.
  private func reach(_ radius: Double) -> Double { max(bound - radius, bound / 5) }

  private mutating func count(_ now: Instant) {
    let metres = way.metres(at: now)
    if delivered != nil {
      budget.moves(max(0, metres - countedWay), in: max(0, (now - counted).seconds))
    }
    counted = max(now, counted)
    countedWay = metres
  }

  /// Counts how long the device was beyond the bound since the last fix.
  ///
  /// The reckoned way leads to the new fix; a distance that it does not explain is spread evenly over the time.
  private mutating func countMisses(_ distance: Double, within reach: Double, at now: Instant) {
    guard distance > reach, let start = way.seenAt else { return }
    if base > reach {
      budget.misses(from: start, before: now)
      return
    }
    let metres = way.metres(at: now)
    let span = max((now - start).seconds, 1e-9)
    let known = min(1, distance / max(metres, 1e-9))
    let unknown = max(0, distance - metres) / span
    let share = base > 0 ? max(0, distance - base) / distance : 1
    var last = (instant: start, metres: base)
    for mark in way.marks + [DeadReckoning.Mark(instant: now, metres: metres)] {
      let gone = base + (mark.metres * known + unknown * (mark.instant - start).seconds) * share
      if gone >= reach {
        let part = max(0, (reach - last.metres) / max(gone - last.metres, 1e-9))
        let passed = last.instant + Self.span((mark.instant - last.instant).seconds * part)
        budget.misses(after: passed, before: now)
        return
      }
      last = (mark.instant, gone)
    }
  }

  /// Computes when the validity ends if the motion goes on as it is.
  private mutating func plan(_ now: Instant) {
    guard delivered != nil else { return }
    let reach = reach(radius)
    if way.isResting {
      let distance = base + way.metres(at: now)
      let share = reach / max(distance, 0.01)
      let settled = way.restsSince + Self.span(Self.settling * share)
      let crept = now + Self.span((reach - distance) / way.mean)
      // A position delivered at rest needs no second look for having come to rest.
      let wanted = (deliveredAt > way.restsSince ? crept : min(crept, max(now, settled))).fullSecond
      end = isOn ? wanted + grace(now) : max(wanted - searching, now)
      return
    }
    let straight = detour.value(for: way.activity)
    let distance = base + way.metres(at: now) * straight
    let pace = max(way.speed(at: now), way.mean / 2)
    let left = (limit(reach, pace, straight, at: now) - distance) / straight
    let doubted = way.doubtedUntil.flatMap { $0 > now ? $0 : nil }
    guard left > 0 || doubted != nil else {
      end = isOn ? now : now - searching
      return
    }
    let passed = left > 0 ? (now + Self.span(way.seconds(for: left, from: pace))).fullSecond : now
    let wanted = max(passed, doubted?.fullSecond ?? passed)
    // No search begins while a change of activity is doubted.
    end = isOn ? wanted + grace(now) : max(wanted - searching, doubted ?? wanted - searching)
  }

  /// The time that a search takes, and a microsecond, so that it ends before the full second.
  private var searching: TimeSpan { Self.span(lead) + TimeSpan(nanoseconds: 1_000) }

  /// A millisecond while fixes come each second, so that the fix of that second is read first.
  private func grace(_ now: Instant) -> TimeSpan {
    guard let seenAt = way.seenAt, now - seenAt < .milliseconds(1500) else { return .zero }
    return .milliseconds(1)
  }

  /// How far the device may be before a new position is wanted, in metres.
  private func limit(_ reach: Double, _ pace: Double, _ straight: Double, at now: Instant) -> Double {
    let spare = budget.spare((now - deliveredAt).seconds)
    guard spare >= 0 else {
      return reach * max(Self.leastTrusted, Self.trusted * (1 + spare / Self.patience))
    }
    let beyond = pace * straight * budget.spends(spare, at: pace)
    return min(reach * Self.trusted + beyond, reach * Self.farthest)
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(seconds: min(max(seconds, -1), 86_400)) ?? .zero
  }
}
