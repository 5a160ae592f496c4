public import StintUnits

/// The longest time for which a working sensor sends nothing, computed from its manifest.
///
/// The figure `silence` of a manifest states this time. Without this figure, the limit is ten periods of the
/// sensor, and at least 15 s. The first sample after switching on may arrive later, by the time in the figure
/// `first_sample` or, without this figure, in `cold_fix`.
///
/// Without the figure `silence`, some sensors have no limit: sensors without channels or without a `rate`,
/// and receivers of beacons, because beacons may be absent. A positioning device may have no signal. So
/// without the figure, only the state in which such a device delivered last has a limit. If the manifest has
/// fewer than two on states (such as search and track), the device has no limit.
public struct SilenceLimit: Hashable, Sendable {
  /// The number of periods without a sample after which a sensor counts as silent.
  private static let periods: Int64 = 10
  /// The shortest limit without the figure `silence`. A starting process or a slow bus may cause gaps of
  /// some seconds.
  private static let least = TimeSpan.seconds(15)

  /// The stated limit; nil when the limit follows from the period.
  private let stated: TimeSpan?
  /// The additional time for the first sample after switching on.
  private let firstSample: TimeSpan
  /// True when only the state in which the device delivered last has a limit.
  public let isOnlyInDeliveringState: Bool

  /// Reads a manifest; nil when the device has no limit.
  public init?(_ manifest: Manifest) {
    guard manifest.kind == .sensor else { return nil }
    func figure(_ name: String) -> TimeSpan? {
      manifest.figures[name]?.timeSpan.flatMap { $0 > .zero ? $0 : nil }
    }
    stated = figure("silence")
    firstSample = manifest.firstSampleDelay
    guard stated == nil else {
      isOnlyInDeliveringState = false
      return
    }
    let roles = manifest.provides
    guard !manifest.channels.isEmpty, manifest.attribute(named: "rate") != nil, !roles.contains(.beacons)
    else { return nil }
    isOnlyInDeliveringState = roles.contains(.positioning)
    if isOnlyInDeliveringState, manifest.states.count(where: \.isOn) < 2 { return nil }
  }

  /// Returns the limit for a period between two samples; nil when the period is needed and unknown.
  ///
  /// - Parameters:
  ///   - period: the time between two samples; nil when it is unknown.
  ///   - isFirst: whether no sample has come since the sensor was switched on.
  public func span(period: TimeSpan?, isFirst: Bool) -> TimeSpan? {
    guard let limit = stated ?? period.map({ max($0.times(Self.periods, capped: .unlimited), Self.least) })
    else { return nil }
    return isFirst ? limit + firstSample : limit
  }
}
