import CStintProcess
import StintModel
import StintPluginKit
import StintUnits

/// The connection between the host and a plugin in a shared library. Both sides exchange the protocol's
/// frames by function calls.
///
/// A library that violates the protocol is stopped and not restarted, because it may have damaged the
/// daemon's memory.
final class LibraryLink: Sendable {
  private struct Core: Sendable {
    var state = Supervision.State.idle
    var library: LoadedLibrary?
    var mailbox: LibraryMailbox?
    var conversation: ChildConversation
    var cancelDeadline: (@Sendable () -> Void)?
    /// The latest instant that was reported for the device.
    var lastReport = Instant(nanoseconds: .min)
    var lostHeldSamples = 0
    /// True from a `drain` (the request for the stored samples) until the host was woken after the answer.
    var awaitsDrain = false
  }

  private let program: ChildProgram
  private let port: DevicePort
  private let loop: any PluginLoop
  private let clock: LinkedPlugin.Clock
  private let core: Locked<Core>
  private let handles: [FactHandle]
  /// The event that occurs when the library serves or has failed.
  private let settled = AsyncEvent()
  /// The event that occurs when the library has answered `close` or has ended.
  private let closed = AsyncEvent()

  init(_ program: ChildProgram, port: DevicePort, loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    self.program = program
    self.port = port
    self.loop = loop
    self.clock = clock
    handles = program.manifest.facts.map { port.handle($0.path) }
    let now = clock()
    core = Locked(
      Core(
        conversation: ChildConversation(
          program.devices, firstSamples: [0], faults: FaultBudget(at: now), at: now)))
  }

  var status: ChildStatus {
    core.withLock { core in
      var status = ChildStatus(
        state: core.state, process: nil, restarts: 0, lostSamples: core.conversation.lostSamples)
      status.lostHeldSamples = core.lostHeldSamples
      status.droppedFaults = core.conversation.faults.dropped
      return status
    }
  }

  // MARK: Requests of the host, on the loop's thread

  func open() async {
    begin()
    await settled.wait()
  }

  func apply(_ setting: Setting) { ask { $0.apply(setting, at: clock()) } }

  /// True while the library has not answered a `drain`, the request for its stored samples.
  var isDraining: Bool {
    core.withLock { core in
      (core.state == .serving || core.state == .closing) && core.conversation.isDraining
    }
  }

  func drain(_ reason: DeliveryReason) {
    core.withLock { $0.awaitsDrain = true }
    ask { $0.drain(reason, at: clock()) }
  }

  func read() { ask { $0.read(at: clock()) } }

  /// Passes transfers to the library. Does nothing while the library does not serve.
  func startTransfers(_ transfers: [AssignedTransfer]) {
    for transfer in transfers where !pass({ $0.startTransfer(transfer, at: clock()) }) {
      lose(ChildFailure(.hang, "leaves too many transfers unanswered"))
    }
  }

  /// Passes the library the request to stop a transfer.
  func cancelTransfer(_ demand: DemandID) { _ = pass { $0.cancelTransfer(demand, at: clock()) } }

  /// Passes an order to the library of a carrier.
  func handle(_ order: TransferOrder) { _ = pass { $0.handle(order, at: clock()) } }

  /// Passes a message whose answer has no deadline, if the library serves. Returns false when the library
  /// serves and `message` returns nil. The library is called outside the lock, because it may answer during
  /// the call.
  private func pass(_ message: (inout ChildConversation) -> [UInt8]?) -> Bool {
    let (library, bytes) = core.withLock { core -> (LoadedLibrary?, [UInt8]?) in
      core.state == .serving ? (core.library, message(&core.conversation)) : (nil, nil)
    }
    guard let library else { return true }
    guard let bytes else { return false }
    library.take(bytes)
    return true
  }

  func close() async {
    let (library, bytes) = core.withLock { core -> (LoadedLibrary?, [UInt8]?) in
      guard core.state == .serving else { return (nil, nil) }
      core.state = .closing
      setDeadline(program.limits.close, "did not close", &core)
      return (core.library, core.conversation.close(at: clock()))
    }
    if let library, let bytes {
      library.take(bytes)
      await closed.wait()
    }
    end(.finished)
  }

  /// Checks the files and loads the library on another thread, then starts the library on the loop's thread.
  /// On a loop without threads, does everything on the calling thread.
  private func begin() {
    core.withLock { core in
      core.state = .starting
      setDeadline(program.limits.start, "cannot be loaded: its files could not be read", &core)
    }
    let prepare: @Sendable () -> String? = { [program] in
      let rejectionReason = program.rejectionReason()
      // Load the library here, so that `start` does not read the library's file on the loop's thread.
      if rejectionReason == nil { LoadedLibrary.load(program.path) }
      return rejectionReason
    }
    let isOnThread = loop.runOnThread { [weak self, loop] in
      let rejectionReason = prepare()
      _ = loop.call(after: .zero) { [weak self] in self?.start(unless: rejectionReason) }
    }
    if !isOnThread { start(unless: prepare()) }
  }

  private func start(unless rejectionReason: String?) {
    // In another state, the library was closed or its deadline has passed.
    guard core.withLock({ $0.state }) == .starting else { return }
    if let rejectionReason {
      lose(ChildFailure(.hash, rejectionReason))
      return
    }
    let mailbox = LibraryMailbox { [weak self] in
      guard let self else { return }
      _ = loop.call(after: .zero) { [weak self] in self?.processMessages() }
    }
    do throws(ChildFailure) {
      let library = try LoadedLibrary(program.path, speakingTo: mailbox)
      let hello = core.withLock { core in
        core.library = library
        core.mailbox = mailbox
        setDeadline(program.limits.open, "did not open", &core)
        return core.conversation.hello(steady: stint_steady_clock())
      }
      library.take(hello)
    } catch {
      lose(error)
    }
  }

  /// Sends a request. The library is called outside the lock, because it may answer during the call.
  private func ask(_ verb: (inout ChildConversation) -> [UInt8]?) {
    let (library, bytes) = core.withLock { core -> (LoadedLibrary?, [UInt8]?) in
      guard core.state == .serving else { return (nil, nil) }
      let bytes = verb(&core.conversation)
      if core.cancelDeadline == nil { setDeadline(program.limits.answer, "did not answer", &core) }
      return (core.library, bytes)
    }
    guard let library else { return }
    guard let bytes else {
      lose(ChildFailure(.hang, "leaves too many requests unanswered"))
      return
    }
    library.take(bytes)
  }

  private func setDeadline(_ span: TimeSpan?, _ sentence: String, _ core: inout Core) {
    core.cancelDeadline?()
    core.cancelDeadline = span.map { span in
      loop.call(after: span) { [weak self] in
        self?.lose(ChildFailure(.hang, "\(sentence) within \(span)"))
      }
    }
  }

  // MARK: Messages of the library

  private func processMessages() {
    guard let bytes = core.withLock({ $0.mailbox })?.take() else {
      lose(ChildFailure(.flood, "sends more frames than the host can process"))
      return
    }
    core.withLock { $0.conversation.receive(bytes[...]) }
    do throws(FrameFault) {
      while let message = try next() { dispatch(message) }
    } catch {
      lose(ChildFailure(error))
    }
  }

  private func next() throws(FrameFault) -> PluginMessage? {
    try core.withLock { core throws(FrameFault) in
      guard core.library != nil else { return nil }
      let unanswered = core.conversation.unansweredCount
      let message = try core.conversation.next(at: clock())
      if core.conversation.unansweredCount < unanswered {
        setDeadline(
          core.conversation.unansweredCount > 0 ? program.limits.answer : nil, "did not answer", &core)
      }
      return message
    }
  }

  private func dispatch(_ message: PluginMessage) {
    switch message {
    case .described:
      let (library, bytes) = core.withLock { core in
        (core.library, core.conversation.open(program.settings, at: clock()))
      }
      library?.take(bytes)
    case .opened:
      core.withLock { core in
        core.state = .serving
        setDeadline(nil, "", &core)
      }
      settled.open()
    case .answered: wakeAfterDrain()
    case .closed: closed.open()
    case .outcome(let outcome, let instant): port.report(outcome, at: monotonic(instant))
    case .batch(let batch, let instant): port.deliver(batch, at: monotonic(instant))
    case .fact(let fact, let value, let instant): port.publish(handles[fact], value, at: monotonic(instant))
    case .available(let isThere, let instant): port.available(isThere, at: monotonic(instant))
    case .carried(let demand, let instant): port.carried(demand, at: monotonic(instant))
    case .transferred(let report, let instant): port.transferred(report, at: monotonic(instant))
    case .abandoned, .dropped: break
    }
  }

  /// Returns the later of `instant` and the last reported instant. Library and host read the clock at
  /// different moments, so their instants may be out of order.
  private func monotonic(_ instant: Instant) -> Instant {
    core.withLock { core in
      core.lastReport = max(core.lastReport, instant)
      return core.lastReport
    }
  }

  /// Wakes the host after the answer to the last drain. The host then reads the port, so the drain ends even
  /// when no batch arrived.
  private func wakeAfterDrain() {
    let isDrained = core.withLock { core in
      guard core.awaitsDrain, !core.conversation.isDraining else { return false }
      core.awaitsDrain = false
      return true
    }
    if isDrained { port.setAlarm(at: monotonic(clock())) }
  }

  // MARK: The end of the library

  private func lose(_ failure: ChildFailure) {
    let held = core.withLock { core in
      let held = core.conversation.takeHeld(at: clock())
      core.lostHeldSamples = core.lostHeldSamples.addingSaturated(held)
      return held
    }
    let isFirst = core.withLock { core in
      switch core.state {
      case .idle, .starting, .serving: true
      case .closing, .dying, .waiting, .quarantined, .finished: false
      }
    }
    end(isFirst ? .quarantined(failure) : .finished)
    let now = monotonic(clock())
    if isFirst || held > 0 { port.report(.fault("\(failure)\(HeldEstimate.text(held))"), at: now) }
    guard isFirst else { return }
    for handle in handles { port.publish(handle, .unknown, at: now) }
    if !program.manifest.states.isEmpty { port.report(.state(program.manifest.safe, period: nil), at: now) }
    port.available(false, at: now)
    port.report(.fault("quarantined: \(failure)"), at: now)
  }

  private func end(_ state: Supervision.State) {
    let library = core.withLock { core in
      core.state = state
      core.cancelDeadline?()
      core.cancelDeadline = nil
      return core.library.take()
    }
    library?.destroy()
    settled.open()
    closed.open()
  }
}
