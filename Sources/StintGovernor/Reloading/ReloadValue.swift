import StintUnits

/// Amounts in reports of reloads.
enum ReloadValue {
  /// A span without what is less than a second, unless that is all there is.
  static func span(_ span: TimeSpan) -> String {
    let whole = TimeSpan.seconds(span.nanoseconds / 1_000_000_000)
    return "\(whole > .zero ? whole : span)"
  }
}
