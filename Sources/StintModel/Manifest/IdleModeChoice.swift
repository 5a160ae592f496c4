public import StintUnits

/// How a receiver spends the time between two fixes: as its manifest's own figures say is cheapest for the time asked.
///
/// The manifest has states `off`, `search` and `track`, `standby` where it can rest and keep what it knows, and the
/// figures `hot_fix` and `cold_fix`: how long it searches after standby, and after off.
public struct IdleModeChoice: Hashable, Sendable {
  /// What it does between two fixes.
  public enum IdleMode: Hashable, Sendable {
    /// It stays on.
    case track
    /// It rests and knows where satellites are.
    case standby
    /// It is off, and searches from the beginning.
    case off
  }

  private let off: Power
  private let standby: Power?
  private let search: Power
  private let track: Power
  private let hotFix: TimeSpan
  private let coldFix: TimeSpan

  /// Reads a manifest; nil when it says too little to choose by.
  public init?(_ manifest: Manifest) {
    func power(_ name: String) -> Power? { manifest.state(named: name).map { manifest.states[$0].power } }
    guard let search = power("search"), let track = power("track"),
      let hotFix = manifest.figures["hot_fix"]?.timeSpan, let coldFix = manifest.figures["cold_fix"]?.timeSpan
    else { return nil }
    self.off = power("off") ?? .zero
    standby = power("standby")
    self.search = search
    self.track = track
    self.hotFix = hotFix
    self.coldFix = coldFix
  }

  /// The cheapest rest between two fixes that lie so far apart; among equals the one that answers soonest.
  public func cheapest(over period: TimeSpan) -> IdleMode {
    var best = (rest: IdleMode.track, cost: cost(track, period, after: .zero))
    if standby != nil, let cost = standby.map({ cost($0, period, after: hotFix) }), cost < best.cost {
      best = (.standby, cost)
    }
    return cost(off, period, after: coldFix) < best.cost ? .off : best.rest
  }

  /// How far two fixes must lie apart so that standby between them, or off where there is none, and a search cost less
  /// than staying on.
  public var breakEven: TimeSpan {
    let (rest, found) = standby.map { ($0, hotFix) } ?? (off, coldFix)
    guard track > rest else { return .unlimited }
    let more = (Int128(search.nanowatts) - Int128(rest.nanowatts)) * Int128(found.nanoseconds)
    let less = Int128(track.nanowatts) - Int128(rest.nanowatts)
    let gap = TimeSpan(nanoseconds: Int64(clamping: max(more, 0) / less))
    // It cannot rest for less than no time, nor for a moment.
    return max(gap, found + .milliseconds(10))
  }

  /// What one such period costs, in nanowatts times nanoseconds: rest first, then a search of this length.
  private func cost(_ rest: Power, _ period: TimeSpan, after found: TimeSpan) -> Int128 {
    let searching = min(found, period)
    return Int128(search.nanowatts) * Int128(searching.nanoseconds)
      + Int128(rest.nanowatts) * Int128((period - searching).nanoseconds)
  }
}
