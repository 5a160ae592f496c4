/// The words of the language.
enum Keywords {
  /// Those that begin an item.
  static let items = [
    "budget", "default", "let", "machine", "param", "require", "rule", "schedule", "test", "use", "zone",
  ]
  /// Those that join conditions, and so cannot be read as a name in one.
  static let operators = [
    "above", "and", "below", "for", "implies", "in", "is", "not", "or", "release", "tolerate",
  ]
  /// Directives and acts.
  static let verbs = [
    "batch", "defer", "downgrade", "emit", "fix", "flush", "launch", "pause", "start", "stop", "tell",
    "watch",
  ]
  /// Everything else.
  static let others = [
    "always", "as", "at", "attach", "because", "beacon", "by", "circle", "day", "deadline", "detach",
    "doubling",
    "enter_after", "every", "except", "exit_after", "expect", "flex", "from", "given", "goto", "hour", "if",
    "last", "major", "minor", "most", "on", "over", "per", "policy", "radius", "reload", "required", "set",
    "starts", "state", "timeout", "times", "to", "until", "version", "week", "when", "where", "while", "with",
  ]
  static let all = Set(items + operators + verbs + others + ["true", "false"])
  /// Those that a name would be mistaken for.
  static let reserved = Set(items + operators + ["true", "false", "last", "unexplained"])
}
