/// How far local time is ahead of UTC, at any instant: always as far, by a list of changes, or by a rule for
/// summer time that holds every year.
///
/// Rules are values and know nothing of places or their names; the caller that starts a run chooses them.
///
/// Instants of a run are steady: nothing sets them. The wall clock of the host can be set, and is then `ahead` of
/// them; every question about local time counts that in.
public struct TimeZoneRules: Hashable, Sendable {
  /// An instant from which local time is UTC plus another offset.
  public struct Transition: Hashable, Sendable {
    public var instant: Instant
    public var offset: TimeSpan

    /// Makes a transition.
    public init(instant: Instant, offset: TimeSpan) {
      self.instant = instant
      self.offset = offset
    }
  }

  /// A time in which the offset does not change.
  struct Stretch {
    var start: Transition?
    /// What was in force before the start.
    var before: TimeSpan
    var offset: TimeSpan
    var end: Transition?
  }

  /// The offset before every listed transition; standard time where none is listed and summer time comes
  /// every year.
  public let baseOffset: TimeSpan
  /// Sorted, none without effect; after the last of them a yearly rule may hold.
  public let transitions: [Transition]
  let summer: YearlySummerTime?
  /// Local time of the yearly rule when it is not summer; zero where there is no such rule.
  let standardOffset: TimeSpan
  /// How far the wall clock is ahead of the instants that are asked about; negative when it is behind them.
  public private(set) var ahead = TimeSpan.zero

  public static let utc = fixed(.zero)

  /// Rules whose local time is always UTC plus an offset of less than a day.
  public static func fixed(_ offset: TimeSpan) -> TimeZoneRules { TimeZoneRules(base: offset) }

  /// Rules by a list of transitions in order of time, those that change nothing left out; after the last one
  /// summer time may come by the yearly rule of `tail`.
  ///
  /// Offsets are less than a day either way, instants ascend, and the tail lists no transitions of its own;
  /// anything else is a mistake of the caller.
  public init(base: TimeSpan, transitions listed: [Transition] = [], tail: TimeZoneRules? = nil) {
    precondition(
      zip(listed, listed.dropFirst()).allSatisfy { $0.instant < $1.instant },
      "transitions of a time zone stand in order of time, and no two at one instant")
    precondition(
      ([base] + listed.map(\.offset)).allSatisfy { abs($0.nanoseconds) < TimeSpan.hours(24).nanoseconds },
      "offsets of a time zone are shorter than a day")
    precondition(tail.map { $0.transitions.isEmpty } ?? true, "a tail is a yearly rule, not a list")
    baseOffset = base
    transitions = Self.effective(listed, from: base)
    summer = tail?.summer
    standardOffset = summer == nil ? .zero : tail?.standardOffset ?? .zero
  }

  /// Rules by summer time; where it lasts all year, or changes nothing, the offset is fixed.
  init(base: TimeSpan, summer: YearlySummerTime) {
    // Within 28 years every day of the year falls on every weekday.
    let changes = Self.effective(summer.changes(in: 2000...2028, standard: base), from: base)
    transitions = []
    guard changes.count > 2 else {
      baseOffset = changes.first?.offset ?? base
      self.summer = nil
      standardOffset = .zero
      return
    }
    baseOffset = base
    self.summer = summer
    standardOffset = base
  }

  /// The yearly rule that holds after the last listed transition; nil where the list is all there is.
  public var tail: TimeZoneRules? {
    summer.map { TimeZoneRules(base: standardOffset, summer: $0) }
  }

  /// Whether local time is always as far ahead.
  public var isFixed: Bool { transitions.isEmpty && summer == nil }

  /// The same place with a wall clock that is this far ahead of instants, 100 years at most either way.
  public func withWallClock(ahead: TimeSpan) -> TimeZoneRules {
    let bound = Self.farthest.nanoseconds
    var rules = self
    rules.ahead = TimeSpan(nanoseconds: min(max(ahead.nanoseconds, -bound), bound))
    return rules
  }

  /// How far a wall clock can be from instants: 100 years, so that sums with instants of a run never overflow.
  public static let farthest = TimeSpan.hours(24 * 36_525)

  /// What the wall clock shows at an instant, in UTC.
  public func wallClock(at instant: Instant) -> Instant { instant + ahead }

  /// The instant at which the wall clock shows a time of UTC.
  public func instant(atWallClock time: Instant) -> Instant {
    time + TimeSpan(nanoseconds: -ahead.nanoseconds)
  }

  /// How far local time is ahead of the instants: the offset from UTC and what the wall clock is ahead.
  public func offset(at instant: Instant) -> TimeSpan {
    isFixed ? baseOffset + ahead : stretch(at: instant).offset
  }

  /// The first transition later than an instant; nil when none comes.
  public func nextTransition(after instant: Instant) -> Transition? {
    isFixed ? nil : stretch(at: instant).end
  }

  /// What surrounds an instant, with offsets from instants to local time.
  func stretch(at instant: Instant) -> Stretch {
    guard ahead != .zero else { return wallStretch(at: instant) }
    let stretch = wallStretch(at: wallClock(at: instant))
    return Stretch(
      start: stretch.start.map { steady($0) }, before: stretch.before + ahead, offset: stretch.offset + ahead,
      end: stretch.end.map { steady($0) })
  }

  /// A transition of the wall clock as one of instants.
  private func steady(_ transition: Transition) -> Transition {
    Transition(instant: self.instant(atWallClock: transition.instant), offset: transition.offset + ahead)
  }

  /// What surrounds a time that the wall clock shows, in UTC.
  private func wallStretch(at instant: Instant) -> Stretch {
    var known = transitions
    var first = baseOffset
    if let summer {
      let local = Int128(instant.nanoseconds) + Int128(standardOffset.nanoseconds)
      let (days, rest) = local.quotientAndRemainder(dividingBy: 86_400_000_000_000)
      let year = CivilCalendar.year(ofDay: Int(rest < 0 ? days - 1 : days))
      let changes = summer.changes(in: (year - 2)...(year + 2), standard: standardOffset)
      if let last = transitions.last {
        known = Self.effective(transitions + changes.filter { $0.instant > last.instant }, from: first)
      } else {
        // What comes first in the list follows the other of the two, years before the instant.
        first = changes.first?.offset == standardOffset ? summer.offset : standardOffset
        known = Self.effective(changes, from: first)
      }
    }
    let next = Self.firstIndex(in: known, after: instant)
    return Stretch(
      start: next > 0 ? known[next - 1] : nil, before: next > 1 ? known[next - 2].offset : first,
      offset: next > 0 ? known[next - 1].offset : first, end: next < known.count ? known[next] : nil)
  }

  private static func firstIndex(in known: [Transition], after instant: Instant) -> Int {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if known[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The transitions that change something, the last one where several fall together.
  private static func effective(_ listed: [Transition], from base: TimeSpan) -> [Transition] {
    var kept: [Transition] = []
    for (place, transition) in listed.enumerated() {
      let isReplaced = place + 1 < listed.count && listed[place + 1].instant == transition.instant
      if !isReplaced, transition.offset != kept.last?.offset ?? base { kept.append(transition) }
    }
    return kept
  }
}
