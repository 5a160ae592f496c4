public import StintModel

/// A problem that ends a client's stream: the device, the cause and the remedy.
public struct ClientFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure. Other modules may define further codes.
  public struct Code: Hashable, Sendable {
    /// The stable name of the code, such as `device-failed`.
    public let name: String

    /// Creates a code with this name.
    public init(_ name: String) { self.name = name }

    /// The device reported a fault and stopped.
    public static let deviceFailed = Code("device-failed")
    /// The device was removed, or its plugin crashed.
    public static let deviceGone = Code("device-gone")
    /// The request was not completed in time.
    public static let timedOut = Code("timed-out")
    /// The client has no permission for the device, or the user has not decided yet.
    public static let notAuthorized = Code("not-authorized")
    /// The client is detached.
    public static let detached = Code("detached")
    /// The host is shutting down.
    public static let shutDown = Code("shut-down")
  }

  /// The kind of the failure.
  public var code: Code
  /// The device that the failure is about.
  public var device: DeviceID
  /// The cause: one sentence without a full stop.
  public var cause: String
  /// The remedy for the client: one sentence without a full stop.
  public var nextStep: String

  /// Creates a failure.
  public init(_ code: Code, device: DeviceID, cause: String, nextStep: String) {
    self.code = code
    self.device = device
    self.cause = cause
    self.nextStep = nextStep
  }

  public var description: String { "\(device): \(cause); \(nextStep)" }
}
