package import StintFormats
package import StintGovernor
package import StintModel
public import StintUnits

/// The evaluation of a requirement during a run.
public struct RequirementActivity: Hashable, Sendable {
  /// How many times the requirement was violated.
  public var violations: Int
  /// The time for which policies with this requirement were loaded.
  public var watched: TimeSpan
  /// The part of `watched` in which the facts of the requirement were known. A violation can be noticed only
  /// during this time.
  public var evaluated: TimeSpan

  /// Creates the counts of a requirement; the defaults are zero.
  public init(violations: Int = 0, watched: TimeSpan = .zero, evaluated: TimeSpan = .zero) {
    self.violations = violations
    self.watched = watched
    self.evaluated = evaluated
  }

  /// The share of the watched time with known facts, from 0 to 1; nil before any time has passed.
  public var share: Double? {
    watched > .zero ? Double(evaluated.nanoseconds) / Double(watched.nanoseconds) : nil
  }
}

extension Governor {
  /// Returns the evaluation of every requirement that is watched at run time, up to `instant`.
  package func requirementActivity(at instant: Instant) -> [RuleID: RequirementActivity] {
    let use = ruleUse(at: instant)
    return Dictionary(
      uniqueKeysWithValues: requirementUse(at: instant).map { id, entry in
        let violations = use[id]?.count ?? 0
        return (
          id,
          RequirementActivity(violations: violations, watched: entry.watched, evaluated: entry.evaluated)
        )
      })
  }
}

extension RequirementActivity {
  /// The JSON object that `stint sim` and `stint status` print.
  package var json: JSONValue {
    [
      "violations": JSONValue(violations), "watched_ns": JSONValue(watched.nanoseconds),
      "evaluated_ns": JSONValue(evaluated.nanoseconds),
    ]
  }
}
