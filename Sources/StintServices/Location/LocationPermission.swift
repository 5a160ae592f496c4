import StintModel
import StintUnits

/// Asks whether the client may know where the device is: a question to the user, apart from any request for a position.
///
/// The user is asked once in a client's name. The answer comes as `Answer`, at once when there is one already; a no
/// comes as a failure.
public struct LocationPermission: ServiceRequest, Hashable {
  /// What the user allows.
  public struct Answer: ServiceNotice, Hashable {
    public var authorization: Authorization

    /// Makes an answer.
    public init(authorization: Authorization) { self.authorization = authorization }
  }

  /// Why the client wants to know, as the user reads it.
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
    // A no reaches the client as the failure of what needs a yes.
    if authorization > .undecided { outbox.notify(LocationPermission.Answer(authorization: authorization)) }
    outbox.finish()
  }
}

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
