public import StintModel

/// A problem that ends a client's stream: which device, what happened, what the client can do.
public struct ClientFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure; other modules may add theirs.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind of failure.
    public init(_ name: String) { self.name = name }

    /// The device reported a fault and gave up.
    public static let deviceFailed = Code("device-failed")
    /// The device left the bus, or its plugin crashed.
    public static let deviceGone = Code("device-gone")
    /// What was asked did not happen in time.
    public static let timedOut = Code("timed-out")
    /// The client may not, or not yet, use the device.
    public static let notAuthorized = Code("not-authorized")
    /// The client left.
    public static let detached = Code("detached")
    /// The host stops.
    public static let shutDown = Code("shut-down")
  }

  public var code: Code
  public var device: DeviceID
  /// One sentence without a full stop.
  public var cause: String
  /// What the client can do about it, one sentence without a full stop.
  public var nextStep: String

  /// Makes a failure.
  public init(_ code: Code, device: DeviceID, cause: String, nextStep: String) {
    self.code = code
    self.device = device
    self.cause = cause
    self.nextStep = nextStep
  }

  public var description: String { "\(device): \(cause); \(nextStep)" }
}
