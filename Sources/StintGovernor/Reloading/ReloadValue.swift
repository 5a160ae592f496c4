import StintUnits

/// Formats values for migration reports.
enum ReloadValue {
  /// Formats a span in whole seconds; a span below one second is given exactly.
  static func span(_ span: TimeSpan) -> String {
    let whole = TimeSpan.seconds(span.nanoseconds / 1_000_000_000)
    return "\(whole > .zero ? whole : span)"
  }
}
