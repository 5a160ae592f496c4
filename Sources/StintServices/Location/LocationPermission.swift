public import StintModel
import StintUnits

/// A request to the user to allow the client to know the position, separate from any request for a position.
///
/// The user is asked once per client. The notice `Answer` reports an authorization, at once when the user has
/// already decided. After a refusal there is no `Answer`; services that need the authorization fail.
public struct LocationPermission: ServiceRequest, Hashable {
  /// The user's answer.
  public struct Answer: ServiceNotice, Hashable {
    /// The authorization of the client.
    public var authorization: Authorization

    /// Makes an answer.
    public init(authorization: Authorization) { self.authorization = authorization }
  }

  /// The client's reason, as shown to the user.
  public var purpose: String

  /// Makes a request.
  public init(purpose: String) { self.purpose = purpose }

  public func makeService() -> any Service { LocationPermissionService(purpose: purpose) }
}

private struct LocationPermissionService: Service {
  let purpose: String

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let authorization = context.client.authorization
    if authorization == .undecided {
      outbox.askUser("“\(context.client.id)” would like to know where this device is: \(purpose)")
    } else {
      answer(authorization, &outbox)
    }
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if case .authorization(let authorization) = event, authorization != .undecided {
      answer(authorization, &outbox)
    }
  }

  private func answer(_ authorization: Authorization, _ outbox: inout ServiceOutbox) {
    // Send no answer for a refusal: services that need the authorization report it as their failure.
    if authorization > .undecided { outbox.notify(LocationPermission.Answer(authorization: authorization)) }
    outbox.finish()
  }
}

/// The accuracy to request from devices at present.
///
/// A request for a kilometre first asks devices for three kilometres, which cell towers provide. When the
/// fixes are too coarse, the request asks for one kilometre, which needs Wi-Fi networks.
struct PositioningLadder: Hashable, Sendable {
  /// The requested 95 % radius in metres; at least 5.
  let asked: Double
  /// The step of the requested accuracy (`wanted`), and the step that devices are asked for at present
  /// (`step`).
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

  /// Returns whether a fix of this radius satisfies the request. A radius of up to 10 m satisfies any
  /// request.
  func isGood(_ metres: Double) -> Bool { metres <= max(asked, LocationAccuracy.tenMetres.metres) }

  /// Changes to the requested step because the present step is too coarse. Returns false when the present
  /// step is already the requested one.
  mutating func climb() -> Bool {
    guard step != wanted else { return false }
    step = wanted
    return true
  }

  /// Selects the first, cheapest step again after a good fix.
  mutating func descend() { self = PositioningLadder(asked) }

  /// Returns the most accurate available device. Other devices of its ladder may serve instead. Nil when no
  /// device provides positions.
  func target(_ context: ServiceContext) -> DeviceID? {
    context.device(for: .positioning) ?? context.roles.devices(.positioning).first
  }
}
