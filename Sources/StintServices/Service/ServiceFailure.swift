package import StintModel
package import StintUnits

/// The failure of a request or a service: a kind, and a sentence with the cause and the next step.
public struct ServiceFailure: PersistentNotice, Hashable, CustomStringConvertible {
  /// The kind of a failure; later versions may add kinds.
  public struct Code: Hashable, Sendable, RawRepresentable, Codable {
    /// The name of the kind.
    public let name: String

    /// Makes a kind.
    public init(_ name: String) { self.name = name }
    public init(rawValue: String) { name = rawValue }
    public var rawValue: String { name }

    /// The user has not decided on the permission yet.
    public static let undecided = Code("undecided")
    /// The user refused or withdrew the permission.
    public static let denied = Code("denied")
    /// No suitable device is available.
    public static let unavailable = Code("unavailable")
    /// The result did not arrive in time.
    public static let timedOut = Code("timed-out")
    /// The client has no receiver for the results.
    public static let noReceiver = Code("unheard")
    /// Another service of this client has the name.
    public static let duplicate = Code("duplicate")
    /// The request itself is invalid.
    public static let invalid = Code("invalid")
    /// Another task reads the notices of the service.
    public static let hasReader = Code("has-reader")
    /// The client is not attached.
    public static let detached = Code("detached")
    /// The service has ended, or was never requested.
    public static let over = Code("over")
    /// A limit on the number of services or tasks is reached.
    public static let full = Code("full")
    /// A required device failed.
    public static let failed = Code("failed")
    /// Saved state could not be read, or notices were dropped.
    public static let lost = Code("lost")
  }

  /// The kind of the failure.
  public let code: Code
  /// The cause, for people, and for most failures also the next step.
  public let sentence: String

  /// The next step, for people, as an imperative without a full stop. Nil when `sentence` contains it. Only
  /// refusals of commands have a remedy. The remedy is not saved.
  public private(set) var remedy: String?

  /// The suitable devices, none of which is available. Empty for every other failure; not saved. The daemon
  /// replaces the sentence by the reasons of these devices.
  package private(set) var devices: [DeviceID] = []

  /// The saved form.
  enum CodingKeys: String, CodingKey { case code, sentence }

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - code: the kind.
  ///   - sentence: the cause, without a full stop.
  ///   - remedy: the next step; nil when `sentence` contains it.
  public init(_ code: Code, _ sentence: String, remedy: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The cause and the next step.
  public var text: String { remedy.map { "\(sentence); \($0)" } ?? sentence }

  public var description: String { "\(code.name): \(text)" }

  /// Returns the failure as a problem whose place is a request.
  ///
  /// - Parameter name: the client's name for the request; empty when the caller knows it.
  package func problem(of name: String = "") -> Problem {
    Problem(Problem.Code(code), place: name, cause: sentence, remedy: remedy ?? "")
  }

  /// Makes the failure of a request with an invalid length; nil for a valid length, and without a length.
  init?(_ length: Length?, _ subject: String, _ use: InputBounds.LengthUse) {
    guard let length, let reason = InputBounds.rejectionReason(for: length, subject, use) else { return nil }
    self.init(.invalid, reason)
  }

  /// Makes the failure of a request with an invalid time; nil for a valid time or none.
  init?(_ time: Duration?, _ subject: String, _ use: InputBounds.TimeUse) {
    guard let time, let reason = InputBounds.rejectionReason(for: time, subject, use) else { return nil }
    self.init(.invalid, reason)
  }

  /// Makes the failure of a request for devices of which none is available.
  static func unavailable(_ devices: [DeviceID], _ sentence: String) -> ServiceFailure {
    var failure = ServiceFailure(.unavailable, sentence)
    failure.devices = devices
    return failure
  }

  /// Makes the failure of a command to a service or task that has ended or was never created.
  static func ended(_ sentence: String, remedy: String) -> ServiceFailure {
    ServiceFailure(.over, sentence, remedy: remedy)
  }

  public static let kind = "failure"
}
