/// Why a service cannot do what was asked: a kind, and a sentence with cause and next step.
public struct ServiceFailure: PersistentNotice, Error, Hashable, CustomStringConvertible {
  /// The kind of a failure; later versions may add kinds.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind.
    public init(_ name: String) { self.name = name }

    /// The user has not answered yet whether the client may.
    public static let undecided = Code("undecided")
    /// The user has said no, or took it back.
    public static let denied = Code("denied")
    /// No device that could do it is there.
    public static let unavailable = Code("unavailable")
    /// It did not come in time.
    public static let timedOut = Code("timed-out")
    /// The client would not get the results: it has no receiver.
    public static let noReceiver = Code("unheard")
    /// A service of this client has that name already.
    public static let duplicate = Code("duplicate")
    /// The request itself makes no sense.
    public static let invalid = Code("invalid")
    /// The client is not attached.
    public static let detached = Code("detached")
    /// There is no room for more of it.
    public static let full = Code("full")
    /// A device that it needs failed.
    public static let failed = Code("failed")
    /// What was kept of it could not be read.
    public static let lost = Code("lost")
  }

  public let code: Code
  public let sentence: String

  /// Makes a failure.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { "\(code.name): \(sentence)" }

  public static let kind = "failure"

  public var memory: MemoryValue { .record(["code": .text(code.name), "sentence": .text(sentence)]) }

  public init?(memory: MemoryValue) {
    guard let code = memory["code"]?.text, let sentence = memory["sentence"]?.text else { return nil }
    self.init(Code(code), sentence)
  }
}
