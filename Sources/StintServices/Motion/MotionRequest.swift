public import StintModel
public import StintUnits

/// What a client asks for to follow one kind of motion. Asking again under the same name changes mode and interval of
/// the stream that runs; nothing stacks, and the part is not cycled.
public struct MotionRequest: ServiceRequest, Hashable {
  /// How samples reach the client.
  public enum Mode: Hashable, Sendable {
    /// Each is handed over as it comes, or after at most `latency`.
    case push(latency: TimeSpan)
    /// None is handed over; the latest is there to be read.
    case pull

    public static let push = Mode.push(latency: .zero)
  }

  /// What is done while the client has not finished with what it was handed.
  public enum Backlog: Hashable, Sendable {
    /// All is handed over; the client's queue holds it.
    case every
    /// Only the newest, once the client says `MotionCommand.handled`.
    case newest
  }

  public var kind: MotionKind
  public var mode: Mode
  /// The time between two samples of this stream, whatever others ask of the part.
  public var interval: TimeSpan
  public var backlog: Backlog
  /// Whether the stream goes on when its receiver is gone and the client did not stop it, as on some
  /// platforms. The client then gets a warning. Otherwise losing the receiver is the stop.
  public var outlivesReceiver: Bool

  /// Makes a request.
  public init(
    _ kind: MotionKind, _ mode: Mode = .push, interval: TimeSpan, backlog: Backlog = .every,
    outlivesReceiver: Bool = false
  ) {
    self.kind = kind
    self.mode = mode
    self.interval = interval
    self.backlog = backlog
    self.outlivesReceiver = outlivesReceiver
  }

  public var rejectionReason: ServiceFailure? {
    guard interval > .zero else {
      return ServiceFailure(.invalid, "the interval is \(interval); it must be longer than nothing")
    }
    return nil
  }

  public func makeService() -> any Service { MotionStream(self) }
}

/// A kind of motion that a client may follow, each with its own start, stop and interval.
public struct MotionKind: Hashable, Sendable {
  /// The device whose samples it brings.
  public let device: DeviceID
  /// Devices that the first one makes its samples from, and that must run as well.
  public let inputs: [DeviceID]

  /// Describes a kind; plugins may bring further ones.
  public init(_ device: DeviceID, inputs: [DeviceID] = []) {
    self.device = device
    self.inputs = inputs
  }

  public static let acceleration = MotionKind("motion.accelerometer")
  public static let rotation = MotionKind("motion.gyro")
  public static let magneticField = MotionKind("motion.magnetometer")
  /// Attitude, rotation and acceleration together.
  public static let deviceMotion = MotionKind(
    "motion.fused", inputs: ["motion.accelerometer", "motion.gyro"])

  var parts: [DeviceID] { [device] + inputs }
}

/// What a client tells a stream of motion.
public enum MotionCommand: ServiceCommand, Hashable {
  /// Asks for the latest sample; answered with `MotionNotice.latest`.
  case read
  /// Another interval, from the next sample on.
  case interval(TimeSpan)
  /// The client is through with what it was handed.
  case handled
  /// Ends the samples and gives the part up; what was read last stays readable. Stopping twice is stopping once.
  case stop
  /// The client's receiver is gone, and the client did not stop the stream.
  case receiverGone
}

/// What a stream of motion tells its client.
public enum MotionNotice: ServiceNotice, Hashable {
  /// Samples of this stream, oldest first, at its own interval.
  case samples([Sample])
  /// The latest sample, nil before the first; stale when the stream was stopped since.
  case latest(Sample?, isStale: Bool)
  /// The part cannot go, or is not let go, at the interval that was asked for, but at this one.
  case interval(asked: TimeSpan, given: TimeSpan)
  /// A likely mistake, with its code.
  case warning(String, String)
}
