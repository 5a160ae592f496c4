/// The facts of a sample by number: from the lowest to the highest value that each may have, nothing between them for
/// what is unknown.
struct SamplePoint {
  var lows: [Double]
  var highs: [Double]
  /// How long all facts have stood since the policies were loaded, in nanoseconds; nil for what was before does not
  /// matter.
  var unchangedFor: Int64?
}
