public import StintModel

/// Why a plugin cannot do as told: which device, what is wrong, what to do about it.
public struct PluginError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of failure; plugins may add their own.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The hardware, or what stands for it, is not there.
    public static let absent = Code(rawValue: "absent")
    /// The hardware is there and does not answer as it should.
    public static let broken = Code(rawValue: "broken")
    /// The setting asks for something that the device cannot do.
    public static let unsupported = Code(rawValue: "unsupported")
    /// What the plugin reads from (a file, a trace) cannot be read.
    public static let source = Code(rawValue: "source")
  }

  public var code: Code
  public var device: DeviceID
  /// One sentence: what is wrong.
  public var cause: String
  /// What the reader can do now; empty when there is nothing.
  public var nextStep: String

  /// Makes an error.
  public init(_ code: Code, device: DeviceID, cause: String, nextStep: String = "") {
    self.code = code
    self.device = device
    self.cause = cause
    self.nextStep = nextStep
  }

  public var description: String {
    nextStep.isEmpty ? "\(device): \(cause)" : "\(device): \(cause); \(nextStep)"
  }
}
