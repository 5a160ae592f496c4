import StintModel
import StintUnits

/// The accuracy that a location service at present demands from devices. It may be coarser than the accuracy
/// that the client requested.
///
/// For a request of one kilometre, the service first requests three kilometres from devices. Cell towers
/// provide this accuracy. When the fixes are too coarse, the service requests one kilometre, which needs
/// Wi-Fi networks.
struct PositioningLadder: Hashable, Sendable {
  /// The requested 95 % radius in metres; at least 5.
  let asked: Double
  /// The step of the requested accuracy (`wanted`), and the step to request from devices at present (`step`).
  let wanted: LocationAccuracy
  private(set) var step: LocationAccuracy

  init(_ asked: Double) {
    let requestedStep = LocationAccuracy(metres: asked) ?? .best
    self.asked = max(asked, requestedStep.metres)
    wanted = requestedStep
    step = requestedStep == .kilometre ? .threeKilometres : requestedStep
  }

  /// The 95 % radius to request from devices at present, in metres.
  var metres: Double { step == wanted ? asked : step.metres }

  /// The default time between two fixes; nil for the default of the device.
  var usualPeriod: TimeSpan? { wanted >= .kilometre ? LocationDefaults.coarsePeriod : nil }

  /// Returns whether a fix of this radius satisfies the request. A radius of up to 10 m satisfies
  /// any request.
  func isGood(_ metres: Double) -> Bool { metres <= max(asked, LocationAccuracy.tenMetres.metres) }

  /// Changes to the requested step because the present step is too coarse. Returns false when the present
  /// step is the requested one or finer.
  mutating func climb() -> Bool {
    guard step > wanted else { return false }
    step = wanted
    return true
  }

  /// Changes to the next finer step, also beyond the requested one. Returns false at the finest step.
  ///
  /// A device states the accuracy that it usually has. A single request needs a more accurate device when the
  /// present device does not have its stated accuracy at this place.
  mutating func refine() -> Bool {
    guard let finer = LocationAccuracy.allCases.last(where: { $0 < step }) else { return false }
    step = finer
    return true
  }

  /// Starts again at the first step, which is the cheapest step, after a good fix.
  mutating func descend() { self = PositioningLadder(asked) }

  /// Returns the most accurate available device, or the most accurate device when none is available. Other
  /// devices of its ladder may serve instead. Nil when no device provides positions.
  func target(_ context: ServiceContext) -> DeviceID? {
    context.device(for: .positioning) ?? context.roles.devices(.positioning).first
  }
}

extension ServiceContext {
  /// Returns the ladder for a requested 95 % radius in metres. For a client that may get only coarse
  /// positions, the radius is at least 3 km. So the requests of this client start no satellite receiver.
  func ladder(for metres: Double) -> PositioningLadder {
    PositioningLadder(client.permissions.precision == .coarse ? max(metres, Precision.coarseRadius) : metres)
  }
}
