/// How two values are compared. Words and truths know only equality.
public enum Comparison: String, Hashable, Sendable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="
  case notEqual = "!="
}

/// The side of its threshold on which a latch closes.
public enum LatchSide: String, Hashable, Sendable, CaseIterable {
  case below, above
}

/// How two numbers are joined. Dividing by zero, or an infinite result, is unknown.
public enum Arithmetic: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
}

/// A statistic over a bounded window of a fact's values.
///
/// The window at `now` holds the values published after `now − span` up to `now`. `count` is a plain number,
/// never
/// unknown, 0 for none. `rate` is `count` per second of span. `avg`, `min`, `max`, `spread` (max − min) need
/// one value.
/// `trend` needs three: the least-squares slope times the span, in the fact's unit (metres gained over the
/// window).
public enum WindowFunction: String, Hashable, Sendable, CaseIterable {
  case trend, spread, avg, min, max, rate, count
}
