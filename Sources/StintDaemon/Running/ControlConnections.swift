import StintFormats
import StintModel
import StintRuntime
import StintUnits

/// The control socket of a run: requests with one reply, and the connections of client programs.
final class ControlConnections: Sendable {
  /// The socket; nil for a run without a socket, and after the end of the run.
  private let control: Locked<ControlSocket?>
  /// The attached client programs.
  let clients: ClientConnections
  private let loop: LoopExecutor
  private let notify: @Sendable () -> Void
  /// The long requests that another thread has read.
  private let longCalls = Locked<[(ControlSocket.Call, ControlQuestion)]>([])

  /// - Parameters:
  ///   - control: the socket; nil for a run without a socket.
  ///   - notify: makes the host call `attend`; may be called from any thread.
  init(
    _ control: ControlSocket?, _ clients: ClientConnections, on loop: LoopExecutor,
    notify: @escaping @Sendable () -> Void
  ) {
    self.control = Locked(control)
    self.clients = clients
    self.loop = loop
    self.notify = notify
  }

  /// Answers the waiting questions, attaches new client programs, and processes the messages of all client
  /// programs.
  ///
  /// - Returns: true when there was a question or a new client program.
  @discardableResult
  func attend(_ answers: ControlAnswers, _ host: isolated Host, at instant: Instant) async -> Bool {
    guard let control = control.withLock({ $0 }) else { return false }
    let calls = control.drainCalls()
    for call in calls {
      if let limit = call.exceededLimit {
        control.answer(call, ControlAnswers.refusal(ofRequestAbove: limit))
      } else if call.question.utf8.count > ControlQuestion.maxInlineBytes {
        readElsewhere(call)
      } else {
        await handle(call, ControlQuestion(call.question), control, answers, host, at: instant)
      }
    }
    let read = longCalls.withLock { calls in
      defer { calls = [] }
      return calls
    }
    for (call, question) in read { await handle(call, question, control, answers, host, at: instant) }
    await clients.attend(host, answers.policies, at: instant)
    return !calls.isEmpty || !read.isEmpty
  }

  private func handle(
    _ call: ControlSocket.Call, _ question: ControlQuestion, _ control: ControlSocket,
    _ answers: ControlAnswers, _ host: isolated Host, at instant: Instant
  ) async {
    guard !question.isClientMessage else {
      return await clients.open(control.keep(call), first: call.question, host, at: instant)
    }
    await answers.answer(
      question, isTrusted: call.isTrusted, mayRead: call.mayRead, from: call.peer, host, at: instant
    ) {
      control.answer(call, $0)
    }
  }

  /// Reads a long request on another thread, because steps and other answers must not wait for the reading.
  private func readElsewhere(_ call: ControlSocket.Call) {
    Spawner.start(on: loop) { [self] in
      let question = await Spawner.runOnThread { ControlQuestion(call.question) }
      longCalls.withLock { $0.append((call, question)) }
      notify()
    }
  }

  /// Detaches all client programs and refuses later programs, because the run ends. Questions are answered
  /// until `close()`.
  func beginEnd(_ host: isolated Host, at instant: Instant) async {
    await clients.close(host, at: instant)
  }

  /// Removes the file of the socket. May block on its disk; may be called from any thread.
  func removeFile() { control.withLock { $0 }?.removeFile() }

  /// Closes the socket and all connections.
  func close() { control.withLock { $0 = nil } }
}
