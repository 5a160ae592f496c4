/// How near a beacon is.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
  case immediate, near, far
  /// It is not heard now.
  case unknown

  /// The weakest signal, in dBm, that is still immediate, and still near.
  static let bounds = (immediate: -60.0, near: -75.0)
  /// How far beyond a bound the signal must be to cross it, in dB.
  static let hysteresis = 3.0

  /// The class of a smoothed signal for something that had this class before.
  static func of(signal: Double, before: Proximity) -> Proximity {
    func above(_ bound: Double, _ wasAbove: Bool) -> Bool {
      signal >= bound + (wasAbove ? -hysteresis : before == .unknown ? 0 : hysteresis)
    }
    if above(bounds.immediate, before == .immediate) { return .immediate }
    return above(bounds.near, before == .immediate || before == .near) ? .near : .far
  }
}
