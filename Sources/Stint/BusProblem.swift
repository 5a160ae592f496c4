import StintRuntime
import StintServices
public import StintUnits

// MARK: Calls of a bus

/// The kinds of problems that only a bus reports. `StintUnits` contains the general kinds, and
/// `StintServices` the kinds of refused requests.
extension Problem.Code {
  /// A policy has errors, a policy image is not safe, or no earlier generation of policies exists. For errors
  /// in a policy, the cause contains its diagnostics.
  public static let badPolicy = Self("bad-policy")
  /// The time zone is unknown, or its file is invalid.
  public static let badTimeZone = Self("bad-time-zone")
  /// A plugin or its manifest is invalid.
  public static let badPlugin = Self("bad-plugin")
  /// Too many calls are pending.
  public static let overloaded = Self("overloaded")
  /// The former name of `invalid`.
  @available(*, deprecated, renamed: "invalid")
  public static let badRequest = Self.invalid
}

// MARK: Conversion from errors of lower layers

extension Problem {
  static let closed = Problem(.closed, cause: "the bus is closed", remedy: "open a new one")

  /// Converts the refusal of a service.
  ///
  /// - Parameter name: the client's name for the request, which becomes the place of the problem. Empty for
  ///   no place.
  init(_ failure: ServiceFailure, of name: String = "") { self = failure.problem(of: name) }

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
