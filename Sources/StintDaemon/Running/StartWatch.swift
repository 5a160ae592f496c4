import StintFormats
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Answers requests at the control socket and writes log lines while the start of a daemon waits for files.
///
/// The start reads files on the thread of its caller, because a daemon without its site, its saved state and
/// its policies cannot govern any device. When this takes longer than a second, a thread of this object opens
/// the control socket. The thread answers each question with a message about the files that are read at the
/// start.
final class StartWatch: Sendable {
  private let watcher: Watcher

  /// Starts the watch. When the system cannot start a thread, nothing is watched. Throws when the
  /// system cannot make an event loop.
  ///
  /// - Parameters:
  ///   - options: the path and the group of the socket.
  ///   - silence: the time after which requests are answered.
  ///   - log: receives one line when the reads of a phase take longer than 5 s. The line may come from any
  ///     thread.
  init(_ options: DaemonOptions, after silence: TimeSpan = .seconds(1), log: RunLog) throws(Problem) {
    watcher = Watcher(options, after: silence, try LoopExecutor(), log)
    watcher.start()
  }

  deinit { end() }

  /// Begins a phase of the start.
  ///
  /// - Parameter files: the files that the phase reads, for messages.
  func enter(_ files: String) {
    watcher.phase.withLock { $0 = Watcher.Phase(files: files, since: SystemClock.monotonic()) }
  }

  /// Permits the use of the control socket, because this process now holds the lock of the socket.
  func mayListen() { watcher.mayListen.withLock { $0 = true } }

  /// Ends the watch, and closes the socket. Blocks until the thread has ended.
  func end() { watcher.end() }

  /// The part that the thread uses.
  private final class Watcher: Sendable {
    struct Phase {
      var files: String
      var since: MonotonicInstant
      var isLogged = false

      var span: TimeSpan { SystemClock.monotonic() - since }
    }

    let phase = Locked(Phase(files: "its lock files", since: SystemClock.monotonic()))
    let mayListen = Locked(false)
    private let options: DaemonOptions
    private let silence: TimeSpan
    private let loop: LoopExecutor
    private let log: RunLog
    private let isOver = Locked(false)
    /// Wakes the task of the thread.
    private let wake = Locked<Promise<Void>?>(nil)
    private let hasEnded = Monitor(true)

    init(_ options: DaemonOptions, after silence: TimeSpan, _ loop: LoopExecutor, _ log: RunLog) {
      self.options = options
      self.silence = silence
      self.loop = loop
      self.log = log
    }

    func start() {
      hasEnded.changeForAll { $0 = false }
      let isStarted = loop.runOnThread { [self] in
        Spawner.run(on: loop) { [self] in await serve() }.get()
        hasEnded.changeForAll { $0 = true }
      }
      if !isStarted { hasEnded.changeForAll { $0 = true } }
    }

    func end() {
      isOver.withLock { $0 = true }
      notify()
      _ = hasEnded.wait { $0 ? true : nil }
    }

    private func notify() { wake.withLock { $0 }?.fill(()) }

    private func serve() async {
      var control: ControlSocket?
      var isFirst = true
      while true {
        // Notifications from now on end the next wait.
        let next = Promise<Void>()
        wake.withLock { $0 = next }
        guard !isOver.withLock({ $0 }) else { return }
        if !isFirst {
          if control == nil { control = openSocket() }
          for call in control?.drainCalls() ?? [] { answer(call, control) }
          logLateness()
        }
        isFirst = false
        let cancel = loop.call(after: silence) { next.fill(()) }
        await next.value()
        cancel()
      }
    }

    /// Opens the socket; nil when it may not be used yet, or cannot be opened. The start reports the reason.
    private func openSocket() -> ControlSocket? {
      guard let path = options.control, mayListen.withLock({ $0 }) else { return nil }
      do throws(Problem) {
        return try ControlSocket(at: path, on: loop, group: options.controlGroup) { [weak self] in
          self?.notify()
        }
      } catch {
        return nil
      }
    }

    private func answer(_ call: ControlSocket.Call, _ control: ControlSocket?) {
      let text = phase.withLock {
        "the daemon starts; it has waited for \($0.files) for \($0.span.roundedToSeconds)"
      }
      guard ControlQuestion(call.question).isClientMessage else {
        control?.answer(call, ControlAnswers.refusal(text, problem: .starting))
        return
      }
      let connection = control?.keep(call)
      connection?.send(DaemonMessage.problem(problem(of: call.question, text), nil).line)
      connection?.finish()
    }

    /// Returns the problem of the first message of a client program. For every message except “attach”, the
    /// daemon returns this problem also after the start.
    private func problem(of message: String, _ text: String) -> Problem {
      do throws(Problem) {
        _ = try ClientMessageReader.firstMessage(of: message, requests: .all)
        return Problem(.timedOut, cause: text, remedy: "attach again later")
      } catch {
        return error
      }
    }

    private func logLateness() {
      let files = phase.withLock { phase -> String? in
        guard !phase.isLogged, phase.span >= FileWorker.timeout else { return nil }
        phase.isLogged = true
        return phase.files
      }
      if let files { log.problem("the daemon cannot start yet: it has waited for \(files) for 5 s") }
    }
  }
}
