/// A `Sample` as ranges of values: the lowest and the highest value of each fact, by the index of the fact.
/// An unknown fact has an empty range.
struct SamplePoint {
  var lows: [Double]
  var highs: [Double]
  /// The time, in nanoseconds, for which all facts have been unchanged since the policies were loaded. Nil
  /// when nothing is assumed about the past.
  var unchangedFor: Int64?
}
