import CStintProcess
import StintModel
import StintPluginKit
import StintUnits

/// The host's connection to a plugin's process: performs the effects of `Supervision` and forwards
/// validated events.
///
/// Frames are processed on the loop's thread. The host's executor calls the plugin's functions on the same
/// thread. A lock guards the state, because the status may be read from any thread.
final class ChildLink: Sendable {
  struct Core: Sendable {
    var supervision: Supervision
    var child: SpawnedChild?
    /// The number of the last start. Cancelling a start also increases it, so a start with a smaller number
    /// was cancelled or has been replaced.
    var starts = 0
    var isStarting = false
    /// The ring for the process's batches. Nil when the system does not support rings or the process does not
    /// use one.
    var ring: ChildRing?
    var isRingWatched = false
    var conversation: ChildConversation?
    var printed = OutputLines()
    /// The rate limit for the output of the process. Beyond it, reading pauses.
    var outputBudget: RateBudget
    /// Cancels the timer that ends a pause in which no output is read; nil outside of such a pause.
    var cancelReading: (@Sendable () -> Void)?
    var attempts = CallAttempts()
    /// Events that occurred while effects of an earlier event were being performed.
    var events: [Supervision.Event] = []
    var isReacting = false
    var cancelAlarm: (@Sendable () -> Void)?
    /// The last setting of the device.
    var setting: Setting?
    /// True when the device was reported as unavailable.
    var isLost = false
    /// The latest instant that was reported for the device.
    var lastReport = Instant(nanoseconds: .min)
    /// The sequence number of the first sample of the next process.
    var nextSample: UInt64 = 0
    var lostSamples: UInt64 = 0
    var lostHeldSamples = 0
    /// The rate limit for the faults that the plugin reports. A restart of the process does not reset it.
    var faults: FaultBudget
    /// The number of held samples whose loss was counted and not reported yet.
    var unreportedLoss = 0
    /// True from a `drain` (the request for the stored samples) until the host was woken after the answer.
    var awaitsDrain = false
  }

  let program: ChildProgram
  let port: DevicePort
  let loop: any PluginLoop
  let clock: LinkedPlugin.Clock
  let core: Locked<Core>
  let handles: [FactHandle]
  /// Receives each line that the program prints, on the thread of the loop.
  let listener: @Sendable (String) -> Void
  /// The event that occurs when the process first serves or has failed for the first time.
  private let settled = AsyncEvent()
  private let finished = AsyncEvent()

  /// - Parameters:
  ///   - before: the link that served the device until the plugin was removed. The new link continues the
  ///     sample numbers of the former link.
  ///   - setting: the last setting of the device.
  ///   - listener: receives each line that the program prints, on the thread of the loop.
  init(
    _ program: ChildProgram, port: DevicePort, loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock,
    after before: ChildLink? = nil, setting: Setting? = nil,
    listener: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.program = program
    self.port = port
    self.loop = loop
    self.clock = clock
    self.listener = listener
    handles = program.manifest.facts.map { port.handle($0.path) }
    let now = clock()
    var core = Core(
      supervision: Supervision(limits: program.limits), outputBudget: Self.outputBudget(at: now),
      faults: FaultBudget(at: now))
    core.setting = setting
    if let before {
      (core.lastReport, core.nextSample, core.lostSamples, core.attempts, core.lostHeldSamples) =
        before.core.withLock {
          ($0.lastReport, $0.nextSample, $0.lostSamples, $0.attempts, $0.lostHeldSamples)
        }
      core.faults = before.core.withLock { $0.conversation?.faults ?? $0.faults }
      core.isLost = true
    }
    self.core = Locked(core)
  }

  var status: ChildStatus {
    core.withLock { core in
      var status = ChildStatus(
        state: core.supervision.state, process: core.child?.process, restarts: core.supervision.restarts,
        lostSamples: core.lostSamples.addingSaturated(core.conversation?.lostSamples ?? 0))
      status.lostHeldSamples = core.lostHeldSamples
      status.droppedFaults = (core.conversation?.faults ?? core.faults).dropped
      if let child = core.child {
        status.held = child.held
        status.missing = program.access.mechanisms.filter { !child.held.contains($0) }
      }
      status.attempts = core.attempts.list
      status.lastOutput = core.printed.last
      return status
    }
  }

  /// Returns the rate limit for output: 1 MiB per second. So a process that prints much text uses little time
  /// of the loop.
  private static func outputBudget(at now: Instant) -> RateBudget {
    RateBudget(perSecond: 1_048_576, most: 1_048_576, at: now)
  }

  // MARK: Requests of the host

  /// Starts the process. Returns once the process serves or has failed.
  func open() async {
    core.withLock { react(to: .start, &$0) }
    await settled.wait()
  }

  func apply(_ setting: Setting) {
    core.withLock { core in
      core.setting = setting
      guard core.supervision.state == .serving else { return }
      ask(core.conversation?.apply(setting, at: clock()), &core)
    }
  }

  /// Sends transfers. Does nothing while no process serves: the device is then unavailable, and the governor
  /// starts the transfers again later.
  func startTransfers(_ transfers: [AssignedTransfer]) {
    core.withLock { core in
      for transfer in transfers where core.supervision.state == .serving {
        guard let bytes = core.conversation?.startTransfer(transfer, at: clock()) else {
          react(to: .broke(ChildFailure(.hang, "leaves too many transfers unanswered")), &core)
          return
        }
        _ = send(bytes, &core)
      }
    }
  }

  /// Sends the request to stop a transfer.
  func cancelTransfer(_ demand: DemandID) {
    core.withLock { core in
      guard core.supervision.state == .serving else { return }
      _ = send(core.conversation?.cancelTransfer(demand, at: clock()), &core)
    }
  }

  /// Sends an order to the process of a carrier. Does nothing while no process serves: the host has then
  /// reported the carrier's attempts as failed.
  func handle(_ order: TransferOrder) {
    core.withLock { core in
      guard core.supervision.state == .serving else { return }
      _ = send(core.conversation?.handle(order, at: clock()), &core)
    }
  }

  /// True while the process has not answered a `drain`, the request for its stored samples.
  var isDraining: Bool {
    core.withLock { core in
      let canAnswer = core.supervision.state == .serving || core.supervision.state == .closing
      return canAnswer && core.conversation?.isDraining ?? false
    }
  }

  func drain(_ reason: DeliveryReason) {
    core.withLock { core in
      guard core.supervision.state == .serving else { return }
      core.awaitsDrain = true
      ask(core.conversation?.drain(reason, at: clock()), &core)
    }
  }

  /// Ends the process because of a failure that the host has detected. Returns false when no process serves.
  func fail(_ failure: ChildFailure) -> Bool {
    core.withLock { core in
      guard core.supervision.state == .serving else { return false }
      react(to: .broke(failure), &core)
      return true
    }
  }

  /// Ends the process. Returns once the process has ended.
  func close() async {
    core.withLock { react(to: .close, &$0) }
    await finished.wait()
  }

  private func ask(_ bytes: [UInt8]?, _ core: inout Core) {
    guard let bytes else {
      react(to: .broke(ChildFailure(.hang, "leaves too many requests unanswered")), &core)
      return
    }
    if send(bytes, &core) { react(to: .asked, &core) }
  }

  /// Sends bytes to the process. When the process does not read them, ends the process and returns false.
  private func send(_ bytes: [UInt8]?, _ core: inout Core) -> Bool {
    guard let bytes, let child = core.child else { return false }
    if child.send(bytes) { return true }
    react(to: .broke(ChildFailure(.hang, "does not read its channel")), &core)
    return false
  }

  // MARK: Supervision

  func react(to event: Supervision.Event, _ core: inout Core) {
    core.events.append(event)
    guard !core.isReacting else { return }
    core.isReacting = true
    while !core.events.isEmpty {
      let next = core.events.removeFirst()
      for effect in core.supervision.step(next, at: clock()) { perform(effect, &core) }
    }
    core.isReacting = false
  }

  private func perform(_ effect: Supervision.Effect, _ core: inout Core) {
    switch effect {
    case .spawn: spawn(&core)
    case .sendClose: _ = send(core.conversation?.close(at: clock()), &core)
    case .kill:
      core.child?.kill()
      stopListening(&core)
      cancelStart(&core)
    case .alarm(let instant): setAlarm(instant, &core)
    case .serving: serve(&core)
    case .lost(let failure): lose(failure, &core)
    case .quarantined(let failure):
      let restarts = core.supervision.restarts
      let times = restarts == 0 ? "" : restarts == 1 ? " after 1 restart" : " after \(restarts) restarts"
      port.report(.fault("quarantined\(times): \(failure)"), at: moment(clock(), &core))
    case .finished:
      settled.open()
      finished.open()
    }
  }

  /// Returns the later of `instant` and the last reported instant. Plugin and host read the clock at
  /// different moments, so their instants may be out of order.
  func moment(_ instant: Instant, _ core: inout Core) -> Instant {
    core.lastReport = max(core.lastReport, instant)
    return core.lastReport
  }

  /// Offers the ring and opens the plugin. Called when the plugin's manifest was validated.
  func sendOpen(_ core: inout Core) {
    if let ring = core.ring, core.conversation?.supportsRing ?? false {
      core.isRingWatched = true
      loop.watchReadable(ring.event) { [weak self] in self?.drainRing() }
      guard send(core.conversation?.offerRing(ChildRing.capacity, at: clock()), &core) else { return }
    } else {
      core.ring = nil
    }
    _ = send(core.conversation?.open(program.settings, at: clock()), &core)
  }

  private func setAlarm(_ instant: Instant?, _ core: inout Core) {
    core.cancelAlarm?()
    core.cancelAlarm = instant.map { instant in
      loop.call(after: max(instant - clock(), .zero)) { [weak self] in
        guard let self else { return }
        self.core.withLock { self.react(to: .alarm, &$0) }
      }
    }
  }

  private func spawn(_ core: inout Core) {
    core.starts += 1
    core.isStarting = true
    let number = core.starts
    ChildStart(program, on: loop) { [weak self, loop] result in
      guard let self else { return Self.discard(result, on: loop) }
      self.core.withLock { self.end(number, result, &$0) }
    }
  }

  /// Cancels a start that has no process yet. If the process is started later, it is killed.
  private func cancelStart(_ core: inout Core) {
    guard core.isStarting else { return }
    core.isStarting = false
    core.starts += 1
    core.events.append(.exited(ChildFailure(.start, "was not started")))
  }

  /// Kills the process of a cancelled start.
  private static func discard(_ result: ChildStart.Result, on loop: any PluginLoop) {
    guard case .started(let child, _) = result else { return }
    child.kill()
    loop.watchReadable(child.ending) {
      loop.unwatchReadable(child.ending)
      var child = child
      _ = child.reap()
      child.release()
    }
  }

  private func end(_ start: Int, _ result: ChildStart.Result, _ core: inout Core) {
    guard core.isStarting, core.starts == start else { return Self.discard(result, on: loop) }
    core.isStarting = false
    switch result {
    case .failed(let failure): react(to: .notSpawned(failure), &core)
    case .started(let child, let ring):
      core.child = child
      core.ring = ring
      core.printed = OutputLines()
      core.conversation = ChildConversation(
        program.device, firstSample: core.nextSample, faults: core.faults, at: clock())
      loop.watchReadable(child.channel) { [weak self] in self?.listen() }
      loop.watchReadable(child.output) { [weak self] in self?.readOutput() }
      core.attempts.begin(at: clock())
      if child.attempts >= 0 { loop.watchReadable(child.attempts) { [weak self] in self?.refuse() } }
      loop.watchReadable(child.ending) { [weak self] in self?.reap() }
      react(to: .spawned, &core)
      _ = send(core.conversation?.hello(steady: stint_steady_clock()), &core)
    }
  }

  /// Marks the device as available and sends the last setting of the device to the process.
  private func serve(_ core: inout Core) {
    if core.isLost { port.available(true, at: moment(clock(), &core)) }
    core.isLost = false
    settled.open()
    guard let setting = core.setting else { return }
    ask(core.conversation?.apply(setting, at: clock()), &core)
  }

  /// Reports the failure and makes the device unavailable. The facts of the plugin become unknown; the device
  /// counts as being in its safe state.
  private func lose(_ failure: ChildFailure, _ core: inout Core) {
    countHeld(&core)
    let now = moment(clock(), &core)
    port.report(.fault("\(failure)\(HeldEstimate.text(core.unreportedLoss))"), at: now)
    core.unreportedLoss = 0
    forget(&core, at: now)
    settled.open()
  }

  /// Adds the samples that the process held to the lost samples. A second call does not add them again.
  func countHeld(_ core: inout Core) {
    let held = core.conversation?.takeHeld(at: clock()) ?? 0
    core.unreportedLoss = core.unreportedLoss.addingSaturated(held)
    core.lostHeldSamples = core.lostHeldSamples.addingSaturated(held)
  }

  /// Makes the device unavailable after the operator has removed it and its process has ended.
  func leave() {
    core.withLock { core in
      if !core.isLost { forget(&core, at: moment(clock(), &core)) }
    }
  }

  private func forget(_ core: inout Core, at now: Instant) {
    core.isLost = true
    for handle in handles { port.publish(handle, .unknown, at: now) }
    if !program.manifest.states.isEmpty { port.report(.state(program.manifest.safe, period: nil), at: now) }
    port.available(false, at: now)
  }
}
