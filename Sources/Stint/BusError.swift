import StintBus
import StintRuntime
import StintServices

/// An error of a bus call: a code, and a sentence with the location, the cause and the remedy.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. Later versions may add codes.
  public struct Code: Hashable, Sendable {
    /// The stable name of the code, such as `bad-policy`.
    public let name: String

    /// Creates a code with this name.
    public init(_ name: String) { self.name = name }

    /// A policy has errors. The sentence contains its diagnostics.
    public static let badPolicy = Code("bad-policy")
    /// A file could not be read.
    public static let unreadable = Code("unreadable")
    /// The bus has no device that can serve the request.
    public static let noSuchDevice = Code("no-such-device")
    /// The time zone is unknown, or its file is invalid.
    public static let badTimeZone = Code("bad-time-zone")
    /// The user has not given the client the required permission.
    public static let notAuthorized = Code("not-authorized")
    /// A plugin or its manifest is invalid.
    public static let badPlugin = Code("bad-plugin")
    /// The declaration or the value of a fact is invalid.
    public static let badFact = Code("bad-fact")
    /// A value in a demand is out of range.
    public static let badRequest = Code("bad-request")
    /// The device has failed or was removed, its code is not linked, or a session of transfers has no
    /// carrier.
    public static let unavailable = Code("unavailable")
    /// Another task reads the same stream.
    public static let hasReader = Code("has-reader")
    /// The client is detached. Attach it again.
    public static let detached = Code("detached")
    /// The service has ended, or was never requested.
    public static let over = Code("over")
    /// The bus is not running.
    public static let closed = Code("closed")
    /// Too many calls are pending.
    public static let overloaded = Code("overloaded")
    /// A service request is invalid.
    public static let invalid = Code("invalid")
  }

  /// The kind of the error.
  public let code: Code
  /// The location, the cause and the remedy, for people. Its wording may change.
  public let sentence: String

  /// Creates an error.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { sentence }
}

// MARK: Conversion from errors of lower layers

extension BusError {
  static let closed = BusError(.closed, "the bus is closed; open a new one")

  /// Converts the refusal of a service.
  init(_ failure: ServiceFailure) { self.init(Code(failure.code.name), failure.sentence) }

  /// Converts the refusal of a demand. Both permission codes become `notAuthorized`.
  static func refusal(_ failure: ServiceFailure) -> BusError {
    let isPermission = failure.code == .denied || failure.code == .undecided
    return BusError(isPermission ? .notAuthorized : Code(failure.code.name), failure.sentence)
  }

  /// Converts the failure that ended a stream of samples.
  init(_ failure: ClientFailure) {
    let sentence = failure.nextStep.isEmpty ? failure.cause : failure.description
    switch failure.code {
    case .shutDown: self = .closed
    case ClientFailure.Code(ServiceFailure.Code.denied.name),
      ClientFailure.Code(ServiceFailure.Code.undecided.name):
      self.init(.notAuthorized, sentence)
    default: self.init(Code(failure.code.name), sentence)
    }
  }

  /// Throws when the host did not carry out a call.
  static func check(_ outcome: SubmissionOutcome) throws(BusError) {
    switch outcome {
    case .done: return
    case .failed(let cause): throw BusError(.badPolicy, "the policies are not put in force: \(cause)")
    case .overloaded: throw BusError(.overloaded, "too many calls are pending; wait for some of them")
    case .closed: throw closed
    }
  }
}
