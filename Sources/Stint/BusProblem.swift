import StintRuntime
import StintServices
public import StintUnits

// MARK: Calls of a bus

/// The kinds of problems that a bus reports in addition to the general kinds of `StintUnits`.
extension Problem.Code {
  /// A policy has errors, a policy image is not safe, or no earlier generation of policies exists. For errors
  /// in a policy, the cause contains its diagnostics.
  public static let badPolicy = Self("bad-policy")
  /// The bus has no device that can serve the request, or lacks a device that its policies need.
  public static let noSuchDevice = Self("no-such-device")
  /// The time zone is unknown, or its file is invalid.
  public static let badTimeZone = Self("bad-time-zone")
  /// The user has not given the client the required permission.
  public static let notAuthorized = Self("not-authorized")
  /// A plugin or its manifest is invalid.
  public static let badPlugin = Self("bad-plugin")
  /// The declaration or the value of a fact is invalid.
  public static let badFact = Self("bad-fact")
  /// An argument is invalid, for example a value out of range, or the name of an unknown fact.
  public static let badRequest = Self("bad-request")
  /// The device has failed or was removed, its plugin is not linked into the app, or a session of transfers
  /// has no carrier.
  public static let unavailable = Self("unavailable")
  /// Another task reads the same stream.
  public static let hasReader = Self("has-reader")
  /// The client is detached. Attach it again.
  public static let detached = Self("detached")
  /// The service has ended, or was never requested.
  public static let over = Self("over")
  /// Too many calls are pending.
  public static let overloaded = Self("overloaded")
  /// A service request is invalid.
  public static let invalid = Self("invalid")
}

// MARK: Conversion from errors of lower layers

extension Problem {
  static let closed = Problem(.closed, cause: "the bus is closed", remedy: "open a new one")

  /// Converts the refusal of a service.
  ///
  /// - Parameter name: the client's name for the request, which becomes the place of the problem. Empty for
  ///   no place.
  init(_ failure: ServiceFailure, of name: String = "") { self = failure.problem(of: name) }

  /// Converts the refusal of a demand. The codes `denied` and `undecided` become `notAuthorized`.
  static func refusal(_ failure: ServiceFailure) -> Problem {
    let isPermission = failure.code == .denied || failure.code == .undecided
    return isPermission ? Problem(.notAuthorized, cause: failure.sentence) : Problem(failure)
  }

  /// Returns the problem with `code` in place of its own code.
  func coded(_ code: Code) -> Problem {
    var problem = self
    problem.code = code
    return problem
  }

  /// Throws when the host did not carry out a call.
  static func check(_ outcome: SubmissionOutcome) throws(Problem) {
    switch outcome {
    case .done: return
    case .overloaded:
      throw Problem(.overloaded, cause: "too many calls are pending", remedy: "wait for some of them")
    case .closed: throw closed
    }
  }
}
