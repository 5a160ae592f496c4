/// What ranging tells.
public enum RangingNotice: ServiceNotice, Hashable {
  /// The nearest of the beacons, once a second: how near, and its smoothed signal in dBm.
  case ranged(Proximity, signal: Double)
  /// The beacon is gone, or the app was too long in the background: it costs no more than a watch now.
  case ended
}
