public import StintModel
import StintUnits

/// A request for the samples of one kind of motion.
///
/// A second request under the same name and for the same kind changes the settings of the running stream.
/// Such a request adds no second stream and does not restart the sensor.
public struct MotionRequest: NamedRequest, Hashable {
  /// How samples reach the client.
  public enum Mode: Hashable, Sendable {
    /// Each sample is delivered when it arrives, or after at most `latency`.
    case push(latency: Duration)
    /// No sample is delivered; the client reads the latest sample.
    case pull

    /// Delivery of each sample without delay.
    public static let push = Mode.push(latency: .zero)
  }

  /// The handling of samples while the client still processes earlier samples.
  public enum Backlog: Hashable, Sendable {
    /// All samples are delivered and wait in the client's queue.
    case every
    /// The client gets one sample. After `MotionCommand.handled`, it gets the newest sample that has arrived.
    case newest
  }

  /// The kind of motion.
  public var kind: MotionKind
  /// How samples reach the client.
  public var mode: Mode
  /// The time between two samples of this stream, independent of the requests of other clients.
  public var interval: Duration
  /// The handling of samples while the client still processes earlier samples.
  public var backlog: Backlog
  /// Whether the stream continues while the client is in the background. Nil for the default of the policies,
  /// or for false when the policies have no default. True needs an app that declares background use.
  public var background: Bool?
  /// Whether the stream continues when its receiver is gone and the client did not stop the stream. On some
  /// platforms, streams continue in this case.
  ///
  /// When true, the client gets a warning after 60 s without a receiver. When false, the stream stops with
  /// its receiver.
  public var outlivesReceiver: Bool

  /// Makes a request.
  public init(
    _ kind: MotionKind, _ mode: Mode = .push, interval: Duration, backlog: Backlog = .every,
    background: Bool? = nil, outlivesReceiver: Bool = false
  ) {
    self.background = background
    self.kind = kind
    self.mode = mode
    self.interval = interval
    self.backlog = backlog
    self.outlivesReceiver = outlivesReceiver
  }

  public var rejectionReason: ServiceFailure? {
    if let failure = ServiceFailure(interval, "the interval", .period) { return failure }
    guard case .push(let latency) = mode else { return nil }
    return ServiceFailure(latency, "the latency", .delay)
  }

  public var needsBackground: Bool { background == true }

  public func makeService() -> any Service { MotionStream(self) }
}

extension MotionRequest {
  public static let kind = "motion"

  /// The kinds of motion in messages and files.
  private enum Word: String, CaseIterable, Decodable {
    case acceleration, rotation
    case magneticField = "magnetic_field"
    case deviceMotion = "device_motion"

    var kind: MotionKind {
      switch self {
      case .acceleration: .acceleration
      case .rotation: .rotation
      case .magneticField: .magneticField
      case .deviceMotion: .deviceMotion
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case of, rate, latency, background
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decode(Word.self, forKey: .of).kind,
      .push(latency: try members.optional(SpanForm.self, .latency)?.duration ?? .zero),
      interval: try members.required(RateForm.self, .rate).duration,
      background: try members.optional(Bool.self, .background))
  }

  /// The command in a message: `{"rate": "20 Hz"}`.
  public struct Message: CommandMessage {
    public let commands: [any ServiceCommand]

    private enum CodingKeys: String, CodingKey {
      case rate
    }

    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      commands = [MotionCommand.interval(try members.required(RateForm.self, .rate).duration)]
    }
  }
}

/// A kind of motion data. A client starts and stops each kind separately, and requests each with a separate
/// interval.
public struct MotionKind: Hashable, Sendable {
  private enum Source: Hashable, Sendable {
    case role(DeviceRole)
    case device(DeviceID)
  }

  private let source: Source

  /// Makes the kind of a device. Plugins may provide further kinds.
  public init(_ device: DeviceID) { source = .device(device) }

  private init(_ role: DeviceRole) { source = .role(role) }

  /// Acceleration.
  public static let acceleration = MotionKind(.acceleration)
  /// Rotation rate.
  public static let rotation = MotionKind(.rotation)
  /// The magnetic field.
  public static let magneticField = MotionKind(.magneticField)
  /// Attitude, rotation and acceleration together.
  public static let deviceMotion = MotionKind(.deviceMotion)

  /// The role of the device; nil when the kind specifies a device.
  var role: DeviceRole? { if case .role(let role) = source { role } else { nil } }

  /// Returns the devices whose samples the client may receive, the preferred one first.
  func devices(_ roles: DeviceRoles) -> [DeviceID] {
    switch source {
    case .role(let role): roles.devices(role)
    case .device(let device): [device]
    }
  }
}

/// A command of a client to a motion stream.
public enum MotionCommand: ServiceCommand, Hashable {
  /// Requests the latest sample; the answer is `MotionNotice.latest`.
  case read
  /// Changes the interval from the next sample on.
  case interval(Duration)
  /// The client has processed the delivered samples.
  case handled
  /// Stops the samples and releases the sensor. The latest sample stays readable. Stopping twice has no
  /// further effect.
  case stop
  /// The client's receiver is gone, but the client did not stop the stream.
  case receiverGone
}

/// A notice of a motion stream to its client.
///
/// The large cases are indirect, so that `any ServiceNotice` contains samples without an allocation.
public enum MotionNotice: ServiceNotice, Hashable {
  /// Samples of this stream, oldest first, at the interval of this stream, with the device that took them.
  case samples([Sample], of: DeviceID)
  /// The latest sample; nil before the first sample. `isStale` is true while the stream is stopped.
  indirect case latest(Sample?, isStale: Bool)
  /// The sensor runs at interval `given` instead of `asked`, because of its own limits or a policy.
  case interval(asked: Duration, given: Duration)
  /// A warning of a probable mistake: a code and a sentence.
  indirect case warning(String, String)
}
