import StintModel
import StintUnits

/// For how long the last position that was handed over is good enough: within a bound in 95 of 100 seconds, as far as
/// what a device knows can tell.
///
/// It knows where it was seen last and how fast it moved then, how it is moved since, how straight its ways have been,
/// and how much of the time the bound was missed so far. While it moves it is believed to come nearer to the bound at
/// its last speed, held between what its activity leaves possible; while it rests, at a creep. Seconds in which the
/// bound may be missed are saved up and spent where fixes come thick, because there each second buys the most.
struct Respite: Hashable, Sendable {
  /// What an activity leaves possible, in metres a second.
  struct Pace: Hashable, Sendable {
    let least: Double
    let most: Double
  }

  /// Even a phone at rest may be moved unnoticed, this fast.
  private static let creep = 0.02
  /// The share of the time in which the bound may be missed; a little less than 5 %, for estimates err.
  private static let allowance = 0.045
  /// How much of what is saved up one wait may spend, how long it may at most, and how far beyond the bound.
  private static let spending = 0.2
  private static let longestMiss = 60.0
  private static let farthest = 4.0
  /// Having come to rest for this long, it is seen once more where it rests, unless it is this near.
  private static let settling = TimeSpan.seconds(10)
  private static let nearby = 10.0
  private static let straightness = 0.3...1.2

  /// The bound, in metres.
  let bound: Double
  /// How long a fix takes, in seconds: a position must be asked for so much earlier.
  let lead: Double

  /// When the last position has served its time; the distant past when there is none.
  private(set) var due = Instant(nanoseconds: .min)

  private var handed: Coordinate?
  private var handedAt = Instant.epoch
  private var seen: Coordinate?
  private var radius = 0.0
  private var speed = 0.0
  /// Nil while nobody can tell how it moves.
  private var pace: Pace?
  private var isResting = false
  private var restsSince = Instant.epoch
  /// Up to when the way is reckoned: metres since it was seen last, and seconds of moving since the hand-over.
  private var reckonedTo = Instant.epoch
  private var way = 0.0
  private var moved = 0.0
  /// Of the way, what it moved: a creep at rest says nothing of how straight its ways are.
  private var walked = 0.0
  /// Metres from the hand-over to where it was seen last.
  private var base = 0.0
  private var straight = 1.0
  /// Seconds that count, and those of them in which the bound was missed.
  private var lived = 0.0
  private var missed = 0.0

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
    reckon(to: now)
    pace = activity.map { Self.pace(of: $0) }
    let rests = activity == .still
    if rests && !isResting { restsSince = now }
    isResting = rests
    plan(now)
  }

  /// It was seen here, moving so fast, known to so many metres.
  mutating func sees(_ place: Coordinate, speed: Double, radius: Double, at now: Instant) {
    reckon(to: now)
    if let handed {
      let distance = handed.distance(to: place)
      if base == 0, walked > 8 {
        let share = min(max(distance / walked, Self.straightness.lowerBound), Self.straightness.upperBound)
        straight = (straight + share) / 2
      }
      base = distance
    }
    seen = place
    self.speed = speed
    self.radius = radius
    way = 0
    walked = 0
    plan(now)
  }

  /// What was seen last is handed over.
  mutating func handsOver(at now: Instant) {
    reckon(to: now)
    guard let seen else { return }
    if handed != nil {
      let span = (now - handedAt).seconds
      lived += span
      if base > reach + believedPace { missed += (1 - reach / base) * min(span, moved) }
    }
    handed = seen
    handedAt = now
    base = 0
    way = 0
    walked = 0
    moved = 0
    plan(now)
  }

  // MARK: Reckoning

  private static func pace(of activity: Activity) -> Pace {
    switch activity {
    case .still: Pace(least: creep, most: creep)
    case .walking: Pace(least: 1, most: 2.2)
    case .running: Pace(least: 2.4, most: 4.5)
    case .cycling: Pace(least: 5, most: 8)
    case .automotive: Pace(least: 9, most: 100)
    }
  }

  private var believedPace: Double {
    guard let pace else { return max(speed, 1.4) }
    return min(max(speed, pace.least), pace.most)
  }

  /// How far it may be from where it was handed over.
  private var reach: Double { max(bound - radius, bound / 5) }

  private mutating func reckon(to now: Instant) {
    let span = max(0, (now - reckonedTo).seconds)
    reckonedTo = max(now, reckonedTo)
    guard handed != nil else { return }
    way += believedPace * span
    if !isResting {
      moved += span
      walked += believedPace * span
    }
  }

  /// Finds when the position will have served its time, if all goes on as it does.
  private mutating func plan(_ now: Instant) {
    guard handed != nil else { return }
    let pace = believedPace * (isResting ? 1 : straight)
    let distance = base + way * (isResting ? 1 : straight)
    if isResting {
      if distance > Self.nearby {
        due = max(now, restsSince + Self.settling)
        return
      }
      due = now + Self.span((reach - distance) / pace)
      return
    }
    let spare = Self.allowance * (lived + (now - handedAt).seconds) - missed
    var limit = reach * 0.8
    if spare >= 0 {
      limit = min(reach * 0.95 + pace * min(spare * Self.spending, Self.longestMiss), reach * Self.farthest)
    }
    due = now + Self.span((limit - distance) / pace - lead)
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(seconds: min(max(seconds, -1), 86_400)) ?? .zero
  }
}
