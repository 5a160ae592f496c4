/// Limits of the data in a report page. Data beyond a limit is merged or left out, with a note on the page.
struct PageLimits: Hashable, Sendable {
  /// The maximum number of spans of one lane (a row of the timeline).
  var spans = 800
  /// The maximum number of distinct causes.
  var causes = 1000
  /// The maximum number of points of a curve, and of the path.
  var points = 1200
  /// The maximum number of positions of one device.
  var fixes = 2000

  static let standard = PageLimits()
}
