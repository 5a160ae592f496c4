import StintModel
import StintUnits

/// A request to the user to allow the client to know the position, separate from any request for a position.
///
/// The user is asked once per client. The answer is `Answer`, immediately when there is one already; a
/// refusal is a failure.
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
    // A client learns of a refusal by the failure of services that need the authorization.
    if authorization > .undecided { outbox.notify(LocationPermission.Answer(authorization: authorization)) }
    outbox.finish()
  }
}

/// Selects the accuracy to request at present.
///
/// For a kilometre, cells come first, and Wi-Fi networks only when cells are too coarse.
struct PositioningLadder: Hashable, Sendable {
  /// The positioning devices, finest first.
  static let devices: [DeviceID] = ["location.gnss", "location.wifi", "location.cell"]

  /// The requested 95 % radius, in metres.
  let asked: Double
  /// The accuracy step of the request, and the step at present.
  let wanted: LocationAccuracy
  private(set) var step: LocationAccuracy

  init(_ asked: Double) {
    let rung = LocationAccuracy(metres: asked) ?? .best
    self.asked = max(asked, rung.metres)
    wanted = rung
    step = rung == .kilometre ? .threeKilometres : rung
  }

  /// The 95 % radius to request from devices at present, in metres.
  var metres: Double { step == wanted ? asked : step.metres }

  /// The default time between two fixes; nil for the default of the device.
  var usualPeriod: TimeSpan? { wanted >= .kilometre ? LocationDefaults.coarsePeriod : nil }

  /// Whether a fix of this radius satisfies the request. For the best accuracy, up to 10 m are sufficient.
  func isGood(_ metres: Double) -> Bool { metres <= max(asked, LocationAccuracy.tenMetres.metres) }

  /// Changes to the requested step because the present one is too coarse. Returns false when it is the
  /// requested step already.
  mutating func climb() -> Bool {
    guard step != wanted else { return false }
    step = wanted
    return true
  }

  /// Starts again with the cheapest step after a good fix.
  mutating func descend() { self = PositioningLadder(asked) }

  /// Returns the finest available device; other devices of its ladder may serve instead.
  func target(_ context: ServiceContext) -> DeviceID {
    Self.devices.first { context.isAvailable($0) } ?? Self.devices[0]
  }
}
