import StintModel
public import StintUnits

/// Asks for notices of how the device is turned. The request powers nothing: `OrientationCommand.begin` does,
/// and `observe` brings notices.
public struct OrientationRequest: ServiceRequest, Hashable {
  /// The time between two looks at the accelerometer.
  public var interval: TimeSpan

  /// Five looks a second, unless said otherwise.
  public init(interval: TimeSpan = .milliseconds(200)) { self.interval = interval }

  public var rejectionReason: ServiceFailure? {
    guard interval > .zero else {
      return ServiceFailure(.invalid, "the interval is \(interval); it must be longer than nothing")
    }
    return nil
  }

  public func makeService() -> any Service { OrientationService(self) }
}

/// What a client tells its orientation service. Begin and end nest; to observe is another act.
public enum OrientationCommand: ServiceCommand, Hashable {
  case begin
  case end
  case observe
  case stopObserving
}

/// What an orientation service tells its client.
public enum OrientationNotice: ServiceNotice, Hashable {
  /// The device is turned otherwise than before; told to observers alone.
  case turned(Orientation)
  /// There was an end without a begin; nothing happened.
  case unbalancedEnd
  /// A likely mistake, with its code.
  case warning(String, String)
}

/// How a device is held, from where gravity points.
public enum Orientation: String, Hashable, Sendable, CaseIterable {
  case portrait
  case portraitUpsideDown
  case landscapeLeft
  case landscapeRight
  case faceUp
  case faceDown

  /// The axis that carries most of the force, x across and y along the screen, z out of it; nil when no axis stands
  /// out by a fifth, so that a tilted device does not flicker.
  init?(x: Double, y: Double, z: Double) {
    let sizes = [abs(x), abs(y), abs(z)].sorted()
    guard sizes[2] > sizes[1] * 1.2 else { return nil }
    if abs(z) == sizes[2] {
      self = z > 0 ? .faceUp : .faceDown
    } else if abs(y) == sizes[2] {
      self = y > 0 ? .portrait : .portraitUpsideDown
    } else {
      self = x > 0 ? .landscapeRight : .landscapeLeft
    }
  }
}

/// How the device is turned, for one client: its begins hold the accelerometer, its observation brings notices.
struct OrientationService: Service {
  private static let part: DeviceID = "motion.accelerometer"
  /// How long orientation runs without an observer before the client gets a warning.
  static let patience = TimeSpan.seconds(60)

  private let request: OrientationRequest
  /// Whether it runs from the first, for a rule.
  private let isBegun: Bool
  private var begins = 0
  private var isObserving = false
  private var demand: DemandID?
  private var orientation: Orientation?
  private var silentSince: Instant?

  init(_ request: OrientationRequest, isBegun: Bool = false) {
    self.request = request
    self.isBegun = isBegun
  }

  var word: ServiceWord? { .orientation }
  var devices: [DeviceID] { [Self.part] }

  var signals: [String: Double] {
    ["orientation.on": demand == nil ? 0 : 1, "orientation.observers": isObserving ? 1 : 0]
  }

  var nextTimer: Instant { silentSince.map { $0 + Self.patience } ?? .distantFuture }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isBegun else { return }
    handle(.begin, context, &outbox)
    noteHearing(context)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .command(let command as OrientationCommand):
      handle(command, context, &outbox)
      noteHearing(context)
    case .batch(let batch, demand): updateOrientation(batch, &outbox)
    case .device(Self.part, .available(false)) where demand != nil:
      outbox.notify(ServiceFailure(.failed, "orientation cannot go on: “\(Self.part)” is gone"))
      outbox.finish()
    case .timer:
      silentSince = nil
      outbox.notify(
        OrientationNotice.warning("W-UNHEARD", "orientation runs without an observer; observe it, or end it"))
    default: break
    }
  }

  private mutating func handle(
    _ command: OrientationCommand, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    defer { if let demand { outbox.setHasConsumer(demand, isObserving) } }
    switch command {
    case .begin:
      begins += 1
      if demand == nil { demand = outbox.raise(Self.part, DemandSettings(period: request.interval)) }
    case .end:
      guard begins > 0 else {
        outbox.notify(OrientationNotice.unbalancedEnd)
        return
      }
      begins = context.defaults(of: "orientation")?.services.nested == false ? 0 : begins - 1
      guard begins == 0, let demand else { return }
      outbox.release(demand)
      self.demand = nil
      orientation = nil
    case .observe: isObserving = true
    case .stopObserving: isObserving = false
    }
  }

  private mutating func noteHearing(_ context: ServiceContext) {
    if demand == nil || isObserving {
      silentSince = nil
    } else {
      silentSince = silentSince ?? context.instant
    }
  }

  private mutating func updateOrientation(_ batch: Batch, _ outbox: inout ServiceOutbox) {
    for sample in batch.samples {
      guard let turned = Orientation(x: sample.first, y: sample.second, z: sample.third),
        turned != orientation
      else { continue }
      orientation = turned
      if isObserving { outbox.notify(OrientationNotice.turned(turned)) }
    }
  }
}
