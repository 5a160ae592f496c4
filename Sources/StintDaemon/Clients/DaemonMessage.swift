import StintFormats
package import StintModel
import StintRuntime
import StintServices
import StintUnits

/// A message of the daemon to a client program: one JSON object with one member, whose name is the kind.
///
/// Exactly one property has a value. The encoded form is the public protocol of client programs, so the names
/// and the order of the members never change.
package struct DaemonMessage: Codable, Sendable {
  /// The version of the protocol.
  static let version: Int64 = 1

  /// The reply to “attach”.
  package struct Attached: Codable, Hashable, Sendable {
    package var client: String
    /// The permission for the location.
    package var permission: Authorization
    package var permissions: Permissions
    package var version: Int64

    enum CodingKeys: String, CodingKey {
      case client, permission, permissions
      case version = "protocol"
    }
  }

  /// The reply to an accepted request.
  package struct Accepted: Codable, Hashable, Sendable {
    package var id: Int64
  }

  /// The last message about a request.
  package struct Ended: Codable, Hashable, Sendable {
    package var id: Int64
    /// A word for the cause, such as “finished”.
    package var reason: String
    /// The failure behind the reason “failed”.
    package var problem: Failure?
  }

  /// The reason why a message had no effect or a request failed.
  package struct Failure: Codable, Hashable, Sendable {
    /// The number of the request; nil when an enclosing message contains it or the message is about no
    /// request.
    package var id: Int64?
    package var code: String
    package var cause: String
    package var remedy: String?
  }

  package var attached: Attached?
  /// The permissions of the client after a change.
  package var permissions: Permissions?
  package var accepted: Accepted?
  package var ended: Ended?
  package var problem: Failure?
  package var event: ClientEvent?
  package var outlook: OutlookMessage?

  static func attached(_ client: ClientID, _ permissions: Permissions) -> DaemonMessage {
    let attached = Attached(
      client: client.name, permission: permissions.location, permissions: permissions, version: version)
    return DaemonMessage(attached: attached)
  }

  /// Returns the last message about a request.
  static func ended(_ id: Int64, _ end: ServiceEnd) -> DaemonMessage {
    let (reason, failure): (String, ServiceFailure?) =
      switch end {
      case .finished: ("finished", nil)
      case .ended: ("ended", nil)
      case .detached: ("detached", nil)
      case .replaced: ("replaced", nil)
      case .closed: ("closed", nil)
      case .failed(let failure): ("failed", failure)
      }
    return DaemonMessage(ended: Ended(id: id, reason: reason, problem: failure.map { Failure($0) }))
  }

  /// Returns an error reply. `id` is nil when the message is about no request.
  static func problem(_ problem: Problem, _ id: Int64?) -> DaemonMessage {
    let all = problem.all
    return DaemonMessage(
      problem: Failure(
        id: id, code: all[0].code.name, cause: all.map(\.statement).joined(separator: "; "),
        remedy: problem.remedy.isEmpty ? nil : problem.remedy))
  }

  static func event(_ id: Int64, _ content: any ClientEventContent) -> DaemonMessage {
    DaemonMessage(event: ClientEvent(id: id, content: content))
  }

  /// The message as one line of JSON. When JSON cannot express a number of the event, such as infinity, the
  /// line is a problem instead.
  var line: String {
    do throws(Problem) {
      return try JSONCoding.line(of: self)
    } catch {
      // A problem contains only texts and a whole number, so this recursion ends.
      return Self.problem(error, event?.id).line
    }
  }
}

extension DaemonMessage.Failure {
  init(_ failure: ServiceFailure, of id: Int64? = nil) {
    self.init(id: id, code: failure.code.name, cause: failure.sentence, remedy: failure.remedy)
  }
}

extension ControlConnection {
  /// Sends a message as one line. An event is counted when it is lost, except the number of lost events.
  func send(_ message: DaemonMessage) {
    send(message.line, isEvent: message.event.map { !($0.content is LostEvent) } ?? false)
  }
}

extension Problem {
  /// The problem with the code that an app gets for the same mistake: a value may be readable and out of
  /// range.
  var ofRequest: Problem {
    var problem = self
    if problem.code == .value { problem.code = .invalid }
    return problem
  }
}
