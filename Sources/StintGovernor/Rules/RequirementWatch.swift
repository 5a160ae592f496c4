import StintMachine
import StintModel
public import StintUnits

/// The evaluation of a requirement. It measures how long the requirement was watched, and for how much of
/// this time its condition had a value.
///
/// A requirement causes no reading. While a fact that it reads is unknown, its condition can be unknown. A
/// violation is then not detected.
public struct RequirementUse: Hashable, Sendable {
  /// The time for which policies with the requirement were loaded.
  public internal(set) var watched = TimeSpan.zero
  /// The part of `watched` with a known result.
  public internal(set) var evaluated = TimeSpan.zero
  /// The beginnings of the present intervals of `watched` and `evaluated`; nil outside of an interval.
  var watchedSince: Instant?
  var evaluatedSince: Instant?

  /// The share of the watched time with a known result, from 0 to 1; nil before any time has passed.
  public var share: Double? {
    watched > .zero ? Double(evaluated.nanoseconds) / Double(watched.nanoseconds) : nil
  }

  /// Returns the use with the present intervals up to `now` added.
  func through(_ now: Instant) -> RequirementUse {
    var use = self
    if let watchedSince { use.watched += now - watchedSince }
    if let evaluatedSince { use.evaluated += now - evaluatedSince }
    use.watchedSince = nil
    use.evaluatedSince = nil
    return use
  }
}

/// Measures the share of time in which the watched requirements have a known result.
///
/// The measured times are kept by rule name across reloads. After a restart they begin at zero, like
/// `RuleUse`.
struct RequirementWatch: Sendable {
  private struct Entry {
    /// The index of the requirement's rule in the image.
    var rule: Int
    var id: RuleID
    var use: RequirementUse
  }

  private var entries: [Entry] = []
  /// The use of requirements that the present program no longer contains.
  private var former: [RuleID: RequirementUse] = [:]

  var isEmpty: Bool { entries.isEmpty }

  /// Updates the intervals after the rule VM has evaluated its rules.
  mutating func note(_ machine: RuleVM, at now: Instant) {
    for index in entries.indices {
      let isKnown = machine.truth(of: entries[index].rule) != .unknown
      guard isKnown != (entries[index].use.evaluatedSince != nil) else { continue }
      if let since = entries[index].use.evaluatedSince { entries[index].use.evaluated += now - since }
      entries[index].use.evaluatedSince = isKnown ? now : nil
    }
  }

  /// Watches the requirements of this image from now on. Stores the use of the former requirements by name.
  mutating func migrate(to image: Image, at now: Instant) {
    for entry in entries { former[entry.id] = entry.use.through(now) }
    entries = image.rules.enumerated().compactMap { number, rule in
      guard image.isRequirement(rule) else { return nil }
      var use = former.removeValue(forKey: rule.id) ?? RequirementUse()
      use.watchedSince = now
      return Entry(rule: number, id: rule.id, use: use)
    }
  }

  /// Returns the use of every requirement up to `instant`, also of requirements of former policies.
  func use(at instant: Instant) -> [RuleID: RequirementUse] {
    var use = former
    for entry in entries { use[entry.id] = entry.use.through(instant) }
    return use
  }
}

extension Image {
  /// Returns whether a rule reports violations of a requirement.
  fileprivate func isRequirement(_ rule: ImageRule) -> Bool {
    acts[rule.acts].contains { act in
      if case .violation = act { true } else { false }
    }
  }
}
