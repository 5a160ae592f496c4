import StintDaemon
import StintRuntime
import StintUnits

/// The control socket of a run: single questions, and the connections of client programs.
struct ControlConnections: Sendable {
  private let control: ControlSocket?
  /// The attached client programs.
  let clients: ClientConnections

  /// - Parameter control: the socket; nil for a run without one.
  init(_ control: ControlSocket?, _ clients: ClientConnections) {
    self.control = control
    self.clients = clients
  }

  /// Answers the waiting questions, attaches new client programs, and processes the messages of all client
  /// programs.
  func attend(_ answers: ControlAnswers, _ host: isolated Host, at instant: Instant) async {
    guard let control else { return }
    for call in control.drainCalls() {
      if answers.isAttach(call.question) {
        await clients.open(control.keep(call), first: call.question, host, at: instant)
      } else {
        answers.answer(call.question, isTrusted: call.isTrusted, host, at: instant) {
          control.answer(call, $0)
        }
      }
    }
    await clients.attend(host, at: instant)
  }

  /// Detaches all client programs because the run ends.
  func close(_ host: isolated Host, at instant: Instant) async { await clients.close(host, at: instant) }
}
