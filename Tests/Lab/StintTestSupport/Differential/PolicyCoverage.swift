/// Counts the contests in which each construct of the policy language and each kind of event occurred.
public struct PolicyCoverage: Sendable {
  /// The number of contests that contained each construct.
  public private(set) var constructs: [String: Int] = [:]
  /// The number of contests in which each kind of event occurred.
  public private(set) var events: [String: Int] = [:]
  /// The number of counted contests.
  public private(set) var contests = 0

  public init() {}

  mutating func note(_ policies: [PlanPolicy]) {
    contests = 1
    if policies.count > 1 { constructs["several policies"] = 1 }
    for text in Set(policies.flatMap(\.words)) { constructs[text] = 1 }
  }

  mutating func note(log: [String], rules: [ReferenceRule]) {
    var found: Set<String> = []
    for line in log {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      found.insert("decided: \(words[1])")
      for status in ["paused", "stopped", "deferred", "background", "unavailable"]
      where words[1] == "grant" && words[5].hasPrefix(status) { found.insert("granted: \(status)") }
      if words[1] == "grant", words.contains("held") { found.insert("granted: held until") }
      if words.count > 3, words[3] == "violation" { found.insert("a requirement was violated") }
    }
    if rules.contains(where: { !$0.fired.isEmpty || $0.isActive }) { found.insert("a rule was in force") }
    for directive in rules.flatMap(\.directives) where directive.runs.count > 1 {
      found.insert("ran again")
      if directive.runs[1].end - directive.runs[1].start > directive.span { found.insert("doubled") }
    }
    if rules.contains(where: { rule in rule.isActive && !rule.over.isEmpty }) { found.insert("overridden") }
    for text in found { events[text, default: 0] += 1 }
  }

  /// Adds the counts of `other`.
  public mutating func add(_ other: PolicyCoverage) {
    contests += other.contests
    constructs.merge(other.constructs, uniquingKeysWith: +)
    events.merge(other.events, uniquingKeysWith: +)
  }

  /// One line for each construct and kind of event, sorted.
  public var lines: [String] {
    (constructs.map { "\($0) \($1)" }.sorted() + events.map { "\($0) \($1)" }.sorted())
  }
}

extension PolicyCoverage {
  /// The constructs and kinds of events that must occur.
  private static let wanted: (constructs: [String], events: [String]) = (
    [
      "a Boolean fact", "a let by name", "a param by name", "above release", "age", "always", "and",
      "arithmetic", "at most N times", "available", "avg", "batch", "below release", "between", "budget",
      "clamp",
      "comparison",
      "count",
      "default", "defer until", "demanded", "device.on", "doubling", "downgrade to a rate",
      "downgrade to an accuracy", "emit", "energy", "enter", "every", "exit", "fix", "for", "heard",
      "implies",
      "in last", "inside", "is, in [ ]", "known", "launch", "let", "machine", "machine is, in", "max",
      "max_age", "min", "not", "or", "over", "over another policy's rule", "param", "pause", "rate",
      "require",
      "schedule", "several policies", "share of a budget", "spread", "start", "stop", "stop except", "tell",
      "time in", "tolerate", "trend", "unexplained", "wakeups", "when", "when at most", "while", "zone",
    ],
    [
      "a requirement was violated", "a rule was in force", "decided: act", "decided: ended",
      "decided: grant", "decided: machine", "decided: set", "doubled", "granted: background",
      "granted: deferred", "granted: held until", "granted: paused", "granted: stopped",
      "granted: unavailable", "overridden", "ran again",
    ]
  )

  /// The constructs and kinds of events that occurred in fewer than one of `share` contests, sorted.
  public func missing(atLeastOnceIn share: Int) -> [String] {
    let rare = { (counts: [String: Int], name: String) in (counts[name] ?? 0) * share < contests }
    return
      (Self.wanted.constructs.filter { rare(constructs, $0) }
      + Self.wanted.events.filter { rare(events, $0) }).sorted()
  }
}
