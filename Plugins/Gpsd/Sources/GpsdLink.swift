import StintModel
import StintPluginKit
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The socket and the thread of a session. The thread waits for the socket or for the next attempt to
/// connect.
///
/// The session and the receiver make all decisions, one at a time under one lock. Settings are applied on the
/// caller's thread. Before `apply` returns, it writes the request to an existing connection, and closes a
/// socket that is no longer needed. The thread exists only while a connection is wanted, or while a lost
/// connection is being restored.
final class GpsdLink: Sendable {
  private struct State {
    var session: GpsdSession
    var receiver: GpsdReceiver
    var descriptor: Int32?
    /// Increases with every connect and disconnect. The result of an attempt to connect is ignored when the
    /// number has changed since the attempt began.
    var generation = 0
    var mustConnect = false
    var hasThread = false
    /// Bytes that the system has not accepted yet.
    var outbox: [UInt8] = []
    /// The latest instant until now. A call with an earlier instant uses this instant instead.
    var latest = Instant(nanoseconds: .min)
  }

  /// The next action of the thread.
  private enum Step {
    case end
    case connect(generation: Int)
    /// With `forRoom`, the wait also ends when the socket can accept more bytes.
    case wait(descriptor: Int32?, forRoom: Bool, until: Instant?)
  }

  private let settings: GpsdSettings
  private let clock: LinkedPlugin.Clock
  private let waker: WakeEnds
  private let state: Locked<State>

  init(_ settings: GpsdSettings, port: DevicePort, clock: @escaping LinkedPlugin.Clock) throws(Problem) {
    guard let waker = WakeEnds() else {
      throw Problem(
        .broken, device: GpsdPlugin.device, cause: "the system has no pipe left: \(GpsdSocket.reason(errno))",
        remedy: "raise the limit of open files (ulimit -n)")
    }
    self.settings = settings
    self.clock = clock
    self.waker = waker
    state = Locked(
      State(session: GpsdSession(settings), receiver: GpsdReceiver(port, release: settings.release)))
  }

  // MARK: Calls from the host

  func apply(_ setting: Setting, at instant: Instant) {
    change(at: instant) { state, now in
      let wasWatching = state.session.isWatching
      let actions =
        setting.isOn
        ? state.session.watch(every: setting.period, at: now) : state.session.unwatch(at: now)
      perform(actions, &state, at: now)
      state.receiver.apply(
        setting, wasWatching: wasWatching, isAvailable: state.session.isAvailable, at: now)
    }
  }

  func drain(at instant: Instant, reason: DeliveryReason) {
    change(at: instant) { state, now in state.receiver.drain(at: now, reason: reason) }
  }

  func wake(at instant: Instant) {
    change(at: instant) { state, now in state.receiver.wake(at: now) }
  }

  /// Ends the watch and closes the connection. The thread then ends by itself.
  func close(at instant: Instant) {
    change(at: instant) { state, now in
      perform(state.session.close(), &state, at: now)
      state.receiver.close(at: now)
    }
  }

  /// Changes the state. Then starts or wakes the thread if it must act on the new state.
  private func change(at instant: Instant, _ body: (inout State, Instant) -> Void) {
    let (mustStart, mustWake) = state.withLock { state in
      let hadThread = state.hasThread
      let before = state.session.deadline
      state.latest = max(state.latest, instant)
      body(&state, state.latest)
      let isBusy = state.mustConnect || state.session.deadline != nil
      state.hasThread = hadThread || isBusy
      let isChanged = state.mustConnect || state.session.deadline != before || !state.outbox.isEmpty
      return (isBusy && !hadThread, hadThread && isChanged)
    }
    if mustWake { waker.wake() }
    if mustStart, !PluginThread.start({ self.work() }) { threadFailed() }
  }

  private func threadFailed() {
    state.withLock { state in
      state.hasThread = false
      let now = state.latest
      state.receiver.ingest(.fault("the system cannot start a thread; free memory or processes"), at: now)
      perform(state.session.close(), &state, at: now)
    }
  }

  // MARK: Performing the session's actions; under the lock

  private func perform(_ actions: [GpsdSession.Action], _ state: inout State, at now: Instant) {
    for action in actions {
      switch action {
      case .connect:
        state.generation += 1
        state.mustConnect = true
      case .send(let text):
        state.outbox += Array(text.utf8)
        flush(&state, at: now)
      case .disconnect: disconnect(&state)
      case .tell(let report): state.receiver.ingest(report, at: now)
      }
    }
  }

  private func disconnect(_ state: inout State) {
    state.generation += 1
    state.mustConnect = false
    state.outbox = []
    if let descriptor = state.descriptor { GpsdSocket.close(descriptor) }
    state.descriptor = nil
  }

  private func flush(_ state: inout State, at now: Instant) {
    while let descriptor = state.descriptor, !state.outbox.isEmpty {
      switch GpsdSocket.write(state.outbox, to: descriptor) {
      case .some(0): return
      case .some(let count): state.outbox.removeFirst(count)
      case .ended, .failed:
        // The next read fails and returns the reason.
        state.outbox = []
        return
      }
    }
  }

  // MARK: The thread

  private func work() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      switch nextStep() {
      case .end: return
      case .connect(let generation): connect(generation)
      case .wait(let descriptor, let forRoom, let until):
        wait(for: descriptor, forRoom: forRoom, until: until)
        serve(descriptor, &buffer)
      }
    }
  }

  private func nextStep() -> Step {
    state.withLock { state in
      if state.mustConnect {
        state.mustConnect = false
        return .connect(generation: state.generation)
      }
      guard state.descriptor != nil || state.session.deadline != nil else {
        state.hasThread = false
        return .end
      }
      return .wait(
        descriptor: state.descriptor, forRoom: !state.outbox.isEmpty, until: state.session.deadline)
    }
  }

  private func connect(_ generation: Int) {
    let timeout = Int32(GpsdSession.timeout.nanoseconds / 1_000_000)
    waker.drain()
    guard state.withLock({ $0.generation == generation }) else { return }
    // A write to the pipe ends the wait for a connection that is no longer needed.
    let result = GpsdSocket.open(
      host: settings.host, port: settings.port, milliseconds: timeout, waker: waker.readEnd)
    state.withLock { state in
      guard state.generation == generation else {
        if case .success(let descriptor) = result { GpsdSocket.close(descriptor) }
        return
      }
      let now = self.now(&state)
      switch result {
      case .success(let descriptor):
        state.descriptor = descriptor
        perform(state.session.connected(at: now), &state, at: now)
      case .failure(let fault): perform(state.session.failed(fault.sentence, at: now), &state, at: now)
      }
    }
  }

  private func wait(for descriptor: Int32?, forRoom: Bool, until deadline: Instant?) {
    var timeout: Int32 = -1
    if let deadline {
      let rest = max((deadline - clock()).nanoseconds, 0)
      timeout = Int32(clamping: rest / 1_000_000 + (rest % 1_000_000 > 0 ? 1 : 0))
    }
    var entries = [pollfd(fd: waker.readEnd, events: Int16(POLLIN), revents: 0)]
    if let descriptor {
      let events = forRoom ? POLLIN | POLLOUT : POLLIN
      entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }
    _ = poll(&entries, nfds_t(entries.count), timeout)
    if entries[0].revents != 0 { waker.drain() }
  }

  /// Reads available bytes, writes waiting bytes, and handles expired deadlines.
  private func serve(_ descriptor: Int32?, _ buffer: inout [UInt8]) {
    state.withLock { state in
      let now = self.now(&state)
      if let descriptor, state.descriptor == descriptor {
        flush(&state, at: now)
        switch GpsdSocket.read(descriptor, into: &buffer) {
        case .some(0): break
        case .some(let count):
          perform(state.session.received(buffer[..<count], at: now), &state, at: now)
          state.receiver.deliverHeld(at: now)
        case .ended:
          perform(state.session.failed("gpsd closed the connection", at: now), &state, at: now)
        case .failed(let number):
          perform(state.session.failed(GpsdSocket.reason(number), at: now), &state, at: now)
        }
      }
      perform(state.session.tick(at: now), &state, at: now)
    }
  }

  private func now(_ state: inout State) -> Instant {
    state.latest = max(state.latest, clock())
    return state.latest
  }
}
