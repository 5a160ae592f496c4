import StintBus
import StintRuntime
import StintServices

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
    /// A number of a request lies outside what can be asked for.
    public static let badRequest = Code("bad-request")
    /// The client is gone; attach it again.
    public static let detached = Code("detached")
    /// The bus was closed.
    public static let closed = Code("closed")
    /// Too many calls wait already.
    public static let overloaded = Code("overloaded")
    /// The request itself makes no sense.
    public static let invalid = Code("invalid")
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

// MARK: What lower layers say

extension BusError {
  static let closed = BusError(.closed, "the bus is closed; open a new one")

  /// Why a service was refused.
  init(_ failure: ServiceFailure) { self.init(Code(failure.code.name), failure.sentence) }

  /// Why a demand was refused: permission has one kind here.
  static func refusal(_ failure: ServiceFailure) -> BusError {
    let isPermission = failure.code == .denied || failure.code == .undecided
    return BusError(isPermission ? .notAuthorized : Code(failure.code.name), failure.sentence)
  }

  /// Why a stream of samples ended.
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

  /// Throws what became of a call where the host did not do it.
  static func check(_ outcome: SubmissionOutcome) throws(BusError) {
    switch outcome {
    case .done: return
    case .failed(let cause): throw BusError(.badPolicy, "the policies are not put in force: \(cause)")
    case .overloaded: throw BusError(.overloaded, "too many calls wait already; wait for some of them")
    case .closed: throw closed
    }
  }
}
