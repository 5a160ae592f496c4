import StintModel
import StintUnits

/// A request for notices about the orientation of the device.
///
/// Without `isObserved`, the request itself starts no device: `OrientationCommand.begin` starts the
/// accelerometer, and `observe` enables the notices.
public struct OrientationRequest: NamedRequest {
  /// The time between two samples of the accelerometer.
  public var interval: Duration
  /// True to begin and to observe at once, without commands. Always true for requests in files and messages.
  public var isObserved: Bool

  /// Makes a request; by default, with five samples per second.
  public init(interval: Duration = .milliseconds(200), isObserved: Bool = false) {
    self.interval = interval
    self.isObserved = isObserved
  }

  public var rejectionReason: ServiceFailure? {
    ServiceFailure(interval, "the interval", .period)
  }

  public func makeService() -> any Service { OrientationService(self, isBegun: isObserved) }
}

extension OrientationRequest {
  public static let kind = "orientation"

  enum CodingKeys: String, CodingKey, CaseIterable {
    case rate
  }

  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      interval: try settings.optional(RateForm.self, .rate)?.duration ?? .milliseconds(200), isObserved: true)
  }
}

/// A command of a client to its orientation service. Each `begin` needs its own `end`. If policies specify
/// `nested off`, one `end` ends all `begin` commands. Observing is independent of both commands.
public enum OrientationCommand: ServiceCommand, Hashable {
  /// Starts the accelerometer, unless it is on already.
  case begin
  /// Ends one `begin`. The accelerometer stops when every `begin` has its `end`.
  case end
  /// Enables notices about the orientation.
  case observe
  /// Disables notices about the orientation.
  case stopObserving
}

/// A notice of an orientation service to its client.
public enum OrientationNotice: ServiceNotice, Hashable {
  /// The orientation changed; only observers get this notice.
  case turned(Orientation)
  /// An `end` came without a `begin` and was ignored.
  case unbalancedEnd
  /// A warning of a probable mistake: a code and a sentence.
  case warning(String, String)
}

/// The orientation of a device, derived from the direction of gravity.
public enum Orientation: String, Hashable, Sendable, CaseIterable {
  case portrait
  case portraitUpsideDown
  case landscapeLeft
  case landscapeRight
  case faceUp
  case faceDown

  /// The word in messages.
  public var word: String {
    switch self {
    case .portrait: "portrait"
    case .portraitUpsideDown: "portrait_upside_down"
    case .landscapeLeft: "landscape_left"
    case .landscapeRight: "landscape_right"
    case .faceUp: "face_up"
    case .faceDown: "face_down"
    }
  }

  /// Makes the orientation from the axis with the largest force. The axis x runs across the screen, y along
  /// the screen, and z out of the screen.
  ///
  /// Nil when the largest force is not more than 1.2 times the second largest force. So a tilted device does
  /// not alternate between two orientations.
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

/// The orientation service of one client. `begin` commands demand the accelerometer; an observer gets
/// the notices.
struct OrientationService: Service {
  /// How long the accelerometer is on without an observer before the client gets a warning.
  static let warningDelay = TimeSpan.seconds(60)

  private let request: OrientationRequest
  /// True for a service that runs from the start, without a `begin` command.
  private let isBegun: Bool
  /// The number of `begin` commands without an `end`.
  private var begins = 0
  private var isObserving = false
  private var demand: DemandID?
  /// The sensor of the demand; nil without a demand.
  private var sensor: DeviceID?
  private var orientation: Orientation?
  /// The instant since which the accelerometer is on without an observer. Nil while it is off or has an
  /// observer, and after the warning.
  private var unobservedSince: Instant?

  init(_ request: OrientationRequest, isBegun: Bool = false) {
    self.request = request
    self.isBegun = isBegun
  }

  var word: ServiceWord? { .orientation }
  var commandType: (any ServiceCommand.Type)? { OrientationCommand.self }
  var role: DeviceRole? { .acceleration }

  var signals: [String: Double] {
    ["orientation.on": demand == nil ? 0 : 1, "orientation.observers": isObserving ? 1 : 0]
  }

  var nextTimer: Instant { unobservedSince.map { $0 + Self.warningDelay } ?? .distantFuture }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isBegun else { return }
    isObserving = request.isObserved
    handle(.begin, context, &outbox)
    noteObservers(context)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .command(let command as OrientationCommand):
      handle(command, context, &outbox)
      noteObservers(context)
    case .batch(let batch, demand): updateOrientation(batch, &outbox)
    case .device(let device, .available(false)) where device == sensor:
      outbox.notify(
        ServiceFailure(.failed, "orientation cannot continue: “\(device)” is no longer available"))
      outbox.finish()
    case .timer:
      unobservedSince = nil
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
      guard demand == nil, let device = context.device(for: .acceleration) else { return }
      sensor = device
      let background = context.isServedInBackground(nil, on: device)
      demand = outbox.raise(device, DemandSettings(period: request.interval.timeSpan, background: background))
    case .end:
      guard begins > 0 else {
        outbox.notify(OrientationNotice.unbalancedEnd)
        return
      }
      begins = context.defaults(of: "orientation")?.services.nested == false ? 0 : begins - 1
      guard begins == 0, let demand else { return }
      outbox.release(demand)
      self.demand = nil
      sensor = nil
      orientation = nil
    case .observe: isObserving = true
    case .stopObserving: isObserving = false
    }
  }

  private mutating func noteObservers(_ context: ServiceContext) {
    if demand == nil || isObserving {
      unobservedSince = nil
    } else {
      unobservedSince = unobservedSince ?? context.instant
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
