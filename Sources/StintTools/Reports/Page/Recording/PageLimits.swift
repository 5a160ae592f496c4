/// How much of a run its report page keeps; what is beyond is merged or thinned, and the page says so.
struct PageLimits: Hashable, Sendable {
  /// Stretches of one lane.
  var spans = 800
  /// Distinct causes.
  var causes = 1000
  /// Points of a curve and of the way.
  var points = 1200
  /// Positions of one device.
  var fixes = 2000

  static let standard = PageLimits()
}
