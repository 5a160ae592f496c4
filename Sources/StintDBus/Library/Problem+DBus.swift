import StintPluginKit
import StintSystem
public import StintUnits

/// The problems of a message bus. A number is a positive `errno` from the library.
extension Problem {
  static func noBus(at address: String, _ number: Int32) -> Problem {
    Problem(
      .unreachable, place: "the bus", cause: DescriptorCalls.reason(number),
      remedy: "start the message bus at \(address), or select another address")
  }

  /// The connection was lost before the answer arrived.
  static func lostBus(_ place: String, _ number: Int32) -> Problem {
    Problem(
      .noValidAnswer, place: place,
      cause: "the connection to the message bus ended: \(DescriptorCalls.reason(number))",
      remedy: "repeat the call after the bus has started again")
  }

  static func notConnected(_ place: String) -> Problem {
    Problem(
      .unreachable, place: place, cause: "there is no connection to the message bus",
      remedy: "start the message bus; the connection is then made again")
  }

  static func closed(_ place: String) -> Problem {
    Problem(.interrupted, place: place, cause: "this program has closed its connection to the message bus")
  }

  static func noAnswer(_ place: String, within limit: TimeSpan) -> Problem {
    Problem(
      .noValidAnswer, place: place, cause: "no answer within \(limit)",
      remedy: "check whether the service runs")
  }

  static func tooManyCalls(_ place: String, _ count: Int) -> Problem {
    Problem(.tooMany, place: place, cause: "\(count) calls already wait for an answer")
  }

  static func cannotSend(_ number: Int32) -> Problem {
    let code: Code =
      switch number {
      case ENOBUFS: .tooMany
      case ENOTCONN, EPIPE, ECONNRESET: .unreachable
      default: .refused
      }
    return Problem(
      code, place: "the bus", cause: "the message cannot be sent: \(DescriptorCalls.reason(number))")
  }

  static func invalid(_ place: String, _ number: Int32) -> Problem {
    Problem(
      .value, place: place,
      cause: "a name, a path or a value is not valid on a message bus: \(DescriptorCalls.reason(number))")
  }

  /// The content of a received message contradicts its signature.
  static func malformed(_ place: String, _ number: Int32) -> Problem {
    Problem(
      .corrupt, place: place,
      cause: "the content of the message contradicts its signature: \(DescriptorCalls.reason(number))")
  }

  /// The values of a received message have other types than expected.
  static func wrongTypes(_ place: String, found: String, expected: String) -> Problem {
    Problem(
      .type, place: place, cause: "the message has the types “\(found)” where “\(expected)” is expected")
  }

  private static let standard = "org.freedesktop.DBus.Error."

  /// Makes the problem with which an exported object rejects a call. `name` is the last element of a standard
  /// error name, such as `InvalidArgs`. For other errors, make a problem whose code is the complete error
  /// name.
  public static func refusal(_ name: String, _ sentence: String) -> Problem {
    Problem(Code(standard + name), cause: sentence)
  }

  /// The name of the error that a caller gets: the code when it contains a dot, or the standard
  /// error `Failed`.
  var errorName: String { code.name.contains(".") ? code.name : Self.standard + "Failed" }

  /// The error that a service returned.
  static func answered(_ place: String, _ name: String, _ sentence: String) -> Problem {
    let short = name.hasPrefix(standard) ? String(name.dropFirst(standard.count)) : name
    let code: Code =
      switch short {
      case "ServiceUnknown", "NameHasNoOwner", "UnknownObject": .absent
      case "UnknownMethod", "UnknownInterface", "UnknownProperty": .unknownName
      case "AccessDenied", "AuthFailed", "InteractiveAuthorizationRequired": .notPermitted
      case "NoReply", "Timeout", "TimedOut", "Disconnected": .noValidAnswer
      case "NotSupported": .unsupported
      case "LimitsExceeded": .tooMany
      case "InvalidArgs", "InvalidSignature": .type
      default: .refused
      }
    return Problem(code, place: place, cause: sentence.isEmpty ? name : "\(name): \(sentence)")
  }
}
