import StintFormats
import StintModel
import StintRuntime
import StintUnits

/// The control socket of a run: single questions, and the connections of client programs.
final class ControlConnections: Sendable {
  /// The socket; nil for a run without one, and after the end of the run.
  private let control: Locked<ControlSocket?>
  /// The attached client programs.
  let clients: ClientConnections

  /// - Parameter control: the socket; nil for a run without one.
  init(_ control: ControlSocket?, _ clients: ClientConnections) {
    self.control = Locked(control)
    self.clients = clients
  }

  /// Answers the waiting questions, attaches new client programs, and processes the messages of all client
  /// programs.
  func attend(_ answers: ControlAnswers, _ host: isolated Host, at instant: Instant) async {
    guard let control = control.withLock({ $0 }) else { return }
    for call in control.drainCalls() {
      if let limit = call.exceededLimit {
        control.answer(call, ControlAnswers.refusal(ofRequestAbove: limit))
      } else if Self.isAttach(call.question) {
        await clients.open(control.keep(call), first: call.question, host, at: instant)
      } else {
        await answers.answer(
          call.question, isTrusted: call.isTrusted, mayRead: call.mayRead, from: call.peer, host, at: instant
        ) {
          control.answer(call, $0)
        }
      }
    }
    await clients.attend(host, at: instant)
  }

  /// Returns whether the line is the first message of a client program, not a single question.
  private static func isAttach(_ line: String) -> Bool {
    do throws(Problem) {
      return try JSONReader.value(of: line, source: "question")["attach"] != nil
    } catch {
      return false
    }
  }

  /// Detaches all client programs and removes the socket, because the run ends.
  func close(_ host: isolated Host, at instant: Instant) async {
    await clients.close(host, at: instant)
    control.withLock { $0 = nil }
  }
}
