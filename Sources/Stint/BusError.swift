/// Why the bus could not do what it was asked: a kind, and a sentence with place, cause and next step.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; later versions may add kinds.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind.
    public init(_ name: String) { self.name = name }

    /// A policy has errors; the sentence holds its diagnostics.
    public static let badPolicy = Code("bad-policy")
    /// A file could not be read.
    public static let unreadable = Code("unreadable")
    /// No device can do what was asked.
    public static let noSuchDevice = Code("no-such-device")
    /// A time zone has no such name, or its file cannot be used.
    public static let badTimeZone = Code("bad-time-zone")
    /// The user has not allowed it.
    public static let notAuthorized = Code("not-authorized")
    /// A plugin or its manifest cannot be used.
    public static let badPlugin = Code("bad-plugin")
    /// A fact cannot be declared or published like that.
    public static let badFact = Code("bad-fact")
    /// The client is gone; attach it again.
    public static let detached = Code("detached")
    /// The bus was closed.
    public static let closed = Code("closed")
  }

  public let code: Code
  public let sentence: String

  /// Makes an error.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { sentence }
}
