import StintModel
import StintUnits

/// The times at which a device stays on and yields nothing.
struct DropoutFault: Sendable {
  private let strikes: [Range<Instant>]

  /// Picks what strikes this device; times count from `start`.
  init(_ strikes: [FaultStrike], device: DeviceID, start: Instant) {
    self.strikes =
      strikes
      .filter { $0.device == device && $0.kind == .dropout && $0.duration > .zero }
      .map { start + $0.at..<start + $0.at + $0.duration }
  }

  func isActive(at instant: Instant) -> Bool {
    !strikes.isEmpty && strikes.contains { $0.contains(instant) }
  }
}
