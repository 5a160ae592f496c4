import StintPluginKit

/// Why a child process was given up: the end of one life of a plugin.
public struct ChildFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a plugin did; more may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// It ended without being told to.
    public static let crash = Code(rawValue: "crash")
    /// It did not answer within its deadline, or does not read.
    public static let hang = Code(rawValue: "hang")
    /// It said what its manifest or the protocol does not allow.
    public static let lie = Code(rawValue: "lie")
    /// It said more than its manifest lets expect.
    public static let flood = Code(rawValue: "flood")
    /// It speaks another major version.
    public static let version = Code(rawValue: "version")
    /// Its program is not the one that the operator knows.
    public static let hash = Code(rawValue: "hash")
    /// It could not be started at all.
    public static let start = Code(rawValue: "start")
  }

  public let code: Code
  /// One sentence without a full stop, as said of the plugin.
  public let sentence: String

  /// Makes a failure.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  init(_ fault: FrameFault) {
    switch fault.code {
    case .version: self.init(.version, fault.sentence)
    case .flood: self.init(.flood, fault.sentence)
    default: self.init(.lie, fault.sentence)
    }
    isPermanent = fault.code == .version || fault.code == .manifest
  }

  /// True when a new start would end the same way.
  public private(set) var isPermanent = false

  /// A copy of the failure that rules out a restart.
  public var ruledOut: ChildFailure {
    var copy = self
    copy.isPermanent = true
    return copy
  }

  public var description: String { "\(code.rawValue): \(sentence)" }
}
