/// The highest of the vendor's temperature limits that the machine has reached; `nominal` when no limit is
/// reached. The order is that of the manifest.
enum ThermalState: Int, Hashable, Comparable, Sendable {
  case nominal, warm, hot, critical

  /// Makes the state of a machine that is beyond a limit of this type.
  init?(limit: String) {
    switch limit {
    case "active", "passive": self = .warm
    case "hot": self = .hot
    case "critical": self = .critical
    default: return nil
    }
  }

  static func < (left: ThermalState, right: ThermalState) -> Bool { left.rawValue < right.rawValue }
}
