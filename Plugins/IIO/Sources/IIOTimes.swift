import StintUnits

/// Computes the instants of scans that arrived together.
enum IIOTimes {
  /// Returns one instant for each scan. The last scan has the instant `now`, and the device's timestamps give
  /// the ages of the earlier scans. When the timestamps are missing or implausible, the scans are one period
  /// apart.
  static func instants(of scans: [IIOScanLayout.Scan], period: TimeSpan, at now: Instant) -> [Instant] {
    let stamps = scans.compactMap(\.timestamp)
    let longest = period.times(Int64(scans.count) * 4, capped: .seconds(3600)) + .seconds(1)
    let isPlausible =
      stamps.count == scans.count && zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }
      && span(from: stamps.first ?? 0, to: stamps.last ?? 0) <= longest
    return scans.indices.map { place in
      let age =
        isPlausible
        ? span(from: stamps[place], to: stamps[stamps.count - 1])
        : period.times(Int64(scans.count - 1 - place), capped: .seconds(3600))
      return now - age
    }
  }

  private static func span(from start: Int64, to end: Int64) -> TimeSpan {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    return overflow || difference < 0 ? .unlimited : TimeSpan(nanoseconds: difference)
  }
}
