import StintModel
import StintServices
import StintUnits

/// One action of a scripted server, or of the connection to it.
enum ServerAct: Hashable, Sendable {
  case reply(Int)
  /// The transfer succeeds; for a download, the file exists.
  case finish
  case fail(TransferFault)
  /// Any report, valid or invalid.
  case report(TransferReport)
  /// Lets time pass.
  case pause(TimeSpan)
}

/// The actions of a server during one attempt.
struct ServerScript: Hashable, Sendable {
  /// The actions when the attempt begins, before the first byte.
  var atOnce: [ServerAct] = []
  /// The actions when all bytes are transferred.
  var atEnd: [ServerAct] = [.reply(200), .finish]

  static let good = ServerScript()
  static let refusedConnection = ServerScript(atOnce: [.fail(.connection)], atEnd: [])
  static let unauthorized = ServerScript(atOnce: [.reply(401)], atEnd: [])
}
