/// The offset of local time from UTC at any instant. This offset is constant, or it follows from a list of
/// transitions or from a yearly summer time rule.
///
/// The rules contain no place name. The caller that starts a run chooses the rules.
///
/// Instants of a run are monotonic: setting the wall clock does not change them. `ahead` is the time of the
/// wall clock minus the instant. Every local time includes this difference.
public struct TimeZoneRules: Hashable, Sendable {
  /// An instant at which the offset of local time from UTC changes.
  public struct Transition: Hashable, Sendable {
    /// The instant from which the offset applies.
    public var instant: Instant
    /// The offset of local time from UTC after the transition; positive east of Greenwich.
    public var offset: TimeSpan

    /// Makes a transition.
    public init(instant: Instant, offset: TimeSpan) {
      self.instant = instant
      self.offset = offset
    }
  }

  /// An interval in which the offset does not change.
  struct Stretch {
    var start: Transition?
    /// The offset before `start`.
    var before: TimeSpan
    var offset: TimeSpan
    var end: Transition?
  }

  /// The offset before the first listed transition. Without listed transitions, this is the standard offset
  /// of the yearly rule, or the constant offset.
  public let baseOffset: TimeSpan
  /// The listed transitions, in order of time; each changes the offset. A yearly rule may apply after the
  /// last transition.
  public let transitions: [Transition]
  let summer: YearlySummerTime?
  /// The offset of standard time in the yearly rule; zero without a yearly rule.
  let standardOffset: TimeSpan
  /// The time by which the wall clock is ahead of the instants of the run; negative when it is behind.
  public private(set) var ahead = TimeSpan.zero

  /// Local time equal to UTC.
  public static let utc = fixed(.zero)

  /// Returns rules with a constant offset from UTC of less than a day.
  public static func fixed(_ offset: TimeSpan) -> TimeZoneRules { TimeZoneRules(base: offset) }

  /// Makes rules from a list of transitions in order of time. The yearly rule of `tail` applies after the
  /// last listed transition.
  ///
  /// Transitions without an effect are dropped.
  ///
  /// - Precondition: offsets are shorter than a day, instants ascend, and `tail` has no listed transitions.
  public init(base: TimeSpan, transitions listed: [Transition] = [], tail: TimeZoneRules? = nil) {
    precondition(
      zip(listed, listed.dropFirst()).allSatisfy { $0.instant < $1.instant },
      "transitions of a time zone must be in order of time, at different instants")
    precondition(
      ([base] + listed.map(\.offset)).allSatisfy { abs($0.nanoseconds) < TimeSpan.hours(24).nanoseconds },
      "offsets of a time zone must be shorter than a day")
    precondition(tail.map { $0.transitions.isEmpty } ?? true, "a tail must have no listed transitions")
    baseOffset = base
    transitions = Self.effective(listed, from: base)
    summer = tail?.summer
    standardOffset = summer == nil ? .zero : tail?.standardOffset ?? .zero
  }

  /// Makes rules from a yearly summer time. The offset is constant when summer time lasts all year or has the
  /// offset of standard time.
  init(base: TimeSpan, summer: YearlySummerTime) {
    // In 28 years each day of the year falls on each weekday, so these years contain every combination of the
    // two changes.
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

  /// The yearly rule that applies after the last listed transition; nil without a yearly rule.
  public var tail: TimeZoneRules? {
    summer.map { TimeZoneRules(base: standardOffset, summer: $0) }
  }

  /// Whether the offset never changes.
  public var isFixed: Bool { transitions.isEmpty && summer == nil }

  /// Returns these rules for a wall clock that is `ahead` of the instants, limited to ±100 years.
  public func withWallClock(ahead: TimeSpan) -> TimeZoneRules {
    let bound = Self.farthest.nanoseconds
    var rules = self
    rules.ahead = TimeSpan(nanoseconds: min(max(ahead.nanoseconds, -bound), bound))
    return rules
  }

  /// The largest difference between wall clock and instants: 100 years. Sums of this difference and instants
  /// from 1970 to 2161 do not saturate.
  public static let farthest = TimeSpan.hours(24 * 36_525)

  /// Returns the UTC time that the wall clock shows at an instant.
  public func wallClock(at instant: Instant) -> Instant { instant + ahead }

  /// Returns the instant at which the wall clock shows a UTC time.
  public func instant(atWallClock time: Instant) -> Instant {
    time + TimeSpan(nanoseconds: -ahead.nanoseconds)
  }

  /// Returns local time minus the instant: the offset from UTC plus `ahead`.
  public func offset(at instant: Instant) -> TimeSpan {
    isFixed ? baseOffset + ahead : stretch(at: instant).offset
  }

  /// Returns the first transition after an instant; nil when none exists.
  public func nextTransition(after instant: Instant) -> Transition? {
    isFixed ? nil : stretch(at: instant).end
  }

  /// Returns the interval of constant offset around an instant. Its offsets include `ahead`.
  func stretch(at instant: Instant) -> Stretch {
    guard ahead != .zero else { return wallStretch(at: instant) }
    let stretch = wallStretch(at: wallClock(at: instant))
    return Stretch(
      start: stretch.start.map { steady($0) }, before: stretch.before + ahead, offset: stretch.offset + ahead,
      end: stretch.end.map { steady($0) })
  }

  /// Converts a transition from wall clock time to an instant of the run.
  private func steady(_ transition: Transition) -> Transition {
    Transition(instant: self.instant(atWallClock: transition.instant), offset: transition.offset + ahead)
  }

  /// Returns the interval of constant offset around a UTC time of the wall clock.
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
        // The yearly changes alternate, so the offset before the first change is the other of the two
        // offsets.
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

  /// Returns the transitions that change the offset. Of several transitions at one instant, only the last is
  /// used.
  private static func effective(_ listed: [Transition], from base: TimeSpan) -> [Transition] {
    var effective: [Transition] = []
    for (place, transition) in listed.enumerated() {
      let isReplaced = place + 1 < listed.count && listed[place + 1].instant == transition.instant
      if !isReplaced, transition.offset != effective.last?.offset ?? base { effective.append(transition) }
    }
    return effective
  }
}
