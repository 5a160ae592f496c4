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

  public var objection: ServiceFailure? {
    guard interval > .zero else {
      return ServiceFailure(.invalid, "the interval is \(interval); it must be longer than nothing")
    }
    return nil
  }

  public func makeService() -> any Service { MotionStream(self) }
}
