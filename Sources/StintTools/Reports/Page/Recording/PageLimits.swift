/// Limits of the data in a report page. Data beyond them is merged or thinned, with a note on the page.
struct PageLimits: Hashable, Sendable {
  /// Spans of one lane.
  var spans = 800
  /// Distinct causes.
  var causes = 1000
  /// Points of a curve and of the path.
  var points = 1200
  /// Positions of one device.
  var fixes = 2000

  static let standard = PageLimits()
}
