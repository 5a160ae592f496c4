public import StintUnits

/// The cheapest idle mode of a receiver between two fixes, computed from the figures of its manifest.
///
/// The manifest has the states `search` and `track`, and `standby` when the receiver can idle without losing
/// its satellite data. The figures `hot_fix` and `cold_fix` are the search times after standby and after off.
public struct IdleModeChoice: Hashable, Sendable {
  /// The mode of the receiver between two fixes.
  public enum IdleMode: Hashable, Sendable {
    /// The receiver stays on.
    case track
    /// The receiver idles and keeps its satellite data.
    case standby
    /// The receiver is off and searches without satellite data afterwards.
    case off
  }

  private let off: Power
  private let standby: Power?
  private let search: Power
  private let track: Power
  private let hotFix: TimeSpan
  private let coldFix: TimeSpan

  /// Reads a manifest. Nil when the manifest lacks the state `search` or `track`, or the figure `hot_fix` or
  /// `cold_fix`. Without a state `off`, the receiver draws no power while it is off.
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

  /// Returns the cheapest mode for a time between two fixes. Of equally cheap modes, returns the mode with
  /// the shortest search.
  public func cheapest(over period: TimeSpan) -> IdleMode { best(over: period).mode }

  /// Returns the mean power of a receiver that idles in the cheapest mode between two fixes. When `period` is
  /// not positive, returns the power of the state `track`.
  public func meanPower(over period: TimeSpan) -> Power {
    guard period > .zero else { return track }
    return Power(nanowatts: Int64(clamping: best(over: period).cost / Int128(period.nanoseconds)))
  }

  private func best(over period: TimeSpan) -> (mode: IdleMode, cost: Int128) {
    var best = (mode: IdleMode.track, cost: cost(track, period, after: .zero))
    if standby != nil, let cost = standby.map({ cost($0, period, after: hotFix) }), cost < best.cost {
      best = (.standby, cost)
    }
    let off = cost(off, period, after: coldFix)
    return off < best.cost ? (.off, off) : best
  }

  /// The least time between two fixes at which idling and a search cost no more than staying on.
  ///
  /// Idling means standby, or off when the receiver has no standby. The time is unlimited when idling draws
  /// at least as much power as staying on.
  public var breakEven: TimeSpan {
    let (rest, searchTime) = standby.map { ($0, hotFix) } ?? (off, coldFix)
    guard track > rest else { return .unlimited }
    let more = (Int128(search.nanowatts) - Int128(rest.nanowatts)) * Int128(searchTime.nanoseconds)
    let less = Int128(track.nanowatts) - Int128(rest.nanowatts)
    let gap = TimeSpan(nanoseconds: Int64(clamping: max(more, 0) / less))
    // The time between two fixes must be longer than the search time, so that some time remains for idling.
    return max(gap, searchTime + .milliseconds(10))
  }

  /// The energy of a search for a fix by a receiver that has kept its satellite data.
  public var hotFixEnergy: Energy { search.energy(over: hotFix, carrying: 0).0 }

  /// Returns the energy of one period in nanowatt-nanoseconds. The receiver first idles with the power
  /// `rest`, and then searches for at most `searchTime`.
  private func cost(_ rest: Power, _ period: TimeSpan, after searchTime: TimeSpan) -> Int128 {
    let searching = min(searchTime, period)
    return Int128(search.nanowatts) * Int128(searching.nanoseconds)
      + Int128(rest.nanowatts) * Int128((period - searching).nanoseconds)
  }
}
