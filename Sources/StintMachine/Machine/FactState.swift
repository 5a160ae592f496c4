import StintUnits

/// The state of a fact in the VM.
struct FactState: Hashable, Sendable {
  /// The value published last; NaN when unknown.
  var value = Double.nan
  /// The value that rules read: NaN when it is unknown or older than `maxAge`.
  var knownValue = Double.nan
  /// The instant of the last publication; the epoch before the first publication.
  var instant = Instant.epoch
  /// The values of the present rank. A new value from `low` up to but not including `high` affects no rule,
  /// only this state. The interval is empty when rules use more than the rank of the fact, and while the fact
  /// is unknown.
  var low = Double.infinity
  var high = -Double.infinity
}
