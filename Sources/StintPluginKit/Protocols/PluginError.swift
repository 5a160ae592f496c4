public import StintModel

/// The reason why a plugin failed: the device, the cause, and a next step for the operator.
public struct PluginError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category of a failure; plugins may add categories.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for the category in reports.
    public let rawValue: String

    /// Makes a category from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The hardware does not exist, or the program or file that replaces it does not exist.
    public static let absent = Code(rawValue: "absent")
    /// The hardware exists but does not answer as it should.
    public static let broken = Code(rawValue: "broken")
    /// The setting requests a function that the device does not have.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The plugin's input (a file, a trace) cannot be read.
    public static let source = Code(rawValue: "source")
  }

  /// The category.
  public var code: Code
  /// The device that failed.
  public var device: DeviceID
  /// The cause, as one sentence.
  public var cause: String
  /// The next step for the operator; empty when no step helps.
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
