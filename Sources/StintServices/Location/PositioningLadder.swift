import StintModel
import StintUnits

/// Which rung of the ladder is asked for now: for a kilometre cells come first, and networks only where cells are too
/// coarse.
struct PositioningLadder: Hashable, Sendable {
  /// Devices that know where they are, the finest first.
  static let devices: [DeviceID] = ["location.gnss", "location.wifi", "location.cell"]

  /// The 95 % radius that was asked for, in metres.
  let asked: Double
  /// Its rung, and the one that is asked for now.
  let wanted: LocationAccuracy
  private(set) var step: LocationAccuracy

  init(_ asked: Double) {
    let rung = LocationAccuracy(metres: asked) ?? .best
    self.asked = max(asked, rung.metres)
    wanted = rung
    step = rung == .kilometre ? .threeKilometres : rung
  }

  /// What devices are asked for now, in metres.
  var metres: Double { step == wanted ? asked : step.metres }

  /// The default time between two fixes; nil for the device's own.
  var usualPeriod: TimeSpan? { wanted >= .kilometre ? LocationDefaults.coarsePeriod : nil }

  /// A fix with this radius is what was asked for. The best there is may be a little more than the best that can be.
  func isGood(_ metres: Double) -> Bool { metres <= max(asked, LocationAccuracy.tenMetres.metres) }

  /// What it asked for was too coarse: asks for what is wanted. False when it does so already.
  mutating func climb() -> Bool {
    guard step != wanted else { return false }
    step = wanted
    return true
  }

  /// It has what it wanted: begins below again, where that is cheaper.
  mutating func descend() { self = PositioningLadder(asked) }

  /// The finest device that is there; others of its ladder may serve in its place.
  func target(_ context: ServiceContext) -> DeviceID {
    Self.devices.first { context.isAvailable($0) } ?? Self.devices[0]
  }
}
