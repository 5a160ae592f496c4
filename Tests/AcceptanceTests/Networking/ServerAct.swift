import StintServices
import StintUnits

/// One thing that a scripted server, or the way to it, does.
enum ServerAct: Hashable, Sendable {
  case reply(Int)
  /// All is well; a download's file lies there.
  case finish
  case fail(TransferFault)
  /// Anything at all, sensible or not.
  case report(TransferReport)
  /// Lets time pass.
  case pause(TimeSpan)
}

/// What a server does with one attempt.
struct ServerScript: Hashable, Sendable {
  /// As soon as the attempt stands, before a byte is through.
  var atOnce: [ServerAct] = []
  /// When all bytes are through.
  var atEnd: [ServerAct] = [.reply(200), .finish]

  static let good = ServerScript()
  static let refusedConnection = ServerScript(atOnce: [.fail(.connection)], atEnd: [])
  static let unauthorized = ServerScript(atOnce: [.reply(401)], atEnd: [])
}
