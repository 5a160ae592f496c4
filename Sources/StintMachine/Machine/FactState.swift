import StintUnits

/// What a machine knows of a fact.
struct FactState: Hashable, Sendable {
  /// What was published last; NaN is unknown.
  var value = Double.nan
  /// What is believed: NaN as well when it is too old.
  var knownValue = Double.nan
  var instant = Instant.epoch
  /// From `low` to just below `high`, a value changes nothing but what is written here: it has the rank of the last,
  /// and nothing else of the fact is asked. Empty where more is asked, or nothing known.
  var low = Double.infinity
  var high = -Double.infinity
}
