import StintFormats
import StintModel
import StintServices
import StintUnits

/// Decodes the commands of client programs to their requests.
enum ClientCommands {
  /// Decodes a command to a request.
  ///
  /// - Throws: `invalid` for a command that fits another kind of request, as in an app; the mistake of the
  ///   message for every other command.
  static func message(
    _ command: JSONValue, to type: any CommandMessage.Type
  ) throws(Problem) -> any CommandMessage {
    var decoder = JSONValueDecoder(file: "message")
    decoder.path = "command"
    do throws(Problem) {
      return try decoder.decode(type, from: command)
    } catch {
      let fitsAnotherKind = RequestKinds.all.commandTypes.contains { other in
        do throws(Problem) { return try decoder.decode(other, from: command).commands.count > 0 } catch {
          return false
        }
      }
      guard fitsAnotherKind, type != NoCommands.self else { throw error }
      throw Problem(
        .invalid, cause: "the command does not fit the kind of the request",
        remedy: "send it to a request of another kind, or end the request and request it again")
    }
  }
}
