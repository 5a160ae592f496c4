public import StintUnits

/// When a link is too slow to be worth its power, and when it is good again.
///
/// The rate is the fact `net.throughput`, which only real transfers make; so one that was put off is tried again after
/// `probe`, and that is the measurement.
public struct SlowLink: Hashable, Sendable {
  /// In bytes a second.
  public var below: Double
  /// In bytes a second, at least `below`.
  public var release: Double
  /// How long it must have been slow.
  public var span: TimeSpan
  public var probe: TimeSpan

  /// Makes a threshold: by default slow after 20 s, tried again each 5 min.
  public init(
    below: Double, release: Double, span: TimeSpan = .seconds(20), probe: TimeSpan = .minutes(5)
  ) {
    self.below = below
    self.release = release
    self.span = span
    self.probe = probe
  }
}
