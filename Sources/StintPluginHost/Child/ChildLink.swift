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
    /// The number of the last start. Cancelling a start also increases this number, so a start with a smaller
    /// number was cancelled or has been replaced.
    var starts = 0
    var isStarting = false
    /// The ring for the process's batches. Nil when the system does not support rings or the process does not
    /// use the ring.
    var ring: ChildRing?
    var isRingWatched = false
    var conversation: ChildConversation?
    var printed = OutputLines()
    /// The rate limit for the output of the process. Reading pauses while this limit is exceeded.
    var outputBudget: RateBudget
    /// Cancels the timer that ends a pause in which no output is read; nil outside of such a pause.
    var cancelReading: (@Sendable () -> Void)?
    var attempts = CallAttempts()
    /// Events that occurred while effects of an earlier event were being performed.
    var events: [Supervision.Event] = []
    var isReacting = false
    var cancelAlarm: (@Sendable () -> Void)?
    /// The wake-up that the process has requested; nil without a request.
    var wake: (earliest: Instant, latest: Instant)?
    /// Cancels the timer for `wake`.
    var cancelWake: (@Sendable () -> Void)?
    /// The devices of the process, in the order of the plugin's manifests.
    var devices: [ServedDevice]
    /// True when the devices were reported as unavailable.
    var isLost = false
    /// The latest instant that was reported for a device.
    var lastReport = Instant(nanoseconds: .min)
    /// The rate limit for the faults that the plugin reports. A restart of the process does not reset this
    /// limit.
    var faults: FaultBudget
  }

  let program: ChildProgram
  let ports: [DevicePort]
  let loop: any PluginLoop
  let clock: LinkedPlugin.Clock
  let core: Locked<Core>
  /// The facts of each device.
  let handles: [[FactHandle]]
  /// Receives each line that the program prints, on the thread of the loop.
  let listener: @Sendable (String) -> Void
  /// The event that occurs when the process serves for the first time, or has failed for the first time.
  private let settled = AsyncEvent()
  private let finished = AsyncEvent()

  /// - Parameters:
  ///   - ports: the ports of the devices, in the order of the plugin's manifests.
  ///   - before: the link that served the devices until the plugin was removed. The new link continues the
  ///     sample numbers of the former link.
  ///   - settings: the last setting of each device.
  ///   - listener: receives each line that the program prints, on the thread of the loop.
  init(
    _ program: ChildProgram, ports: [DevicePort], loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock,
    after before: ChildLink? = nil, settings: [Setting?], listener: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.ports = ports
    self.loop = loop
    self.clock = clock
    self.listener = listener
    handles = zip(program.devices, ports).map { device, port in
      device.manifest.facts.map { port.handle($0.path) }
    }
    let now = clock()
    var core = Core(
      supervision: Supervision(limits: program.limits), outputBudget: Self.outputBudget(at: now),
      devices: program.devices.map { _ in ServedDevice() }, faults: FaultBudget(at: now))
    if let before {
      (core.lastReport, core.attempts, core.devices) =
        before.core.withLock { ($0.lastReport, $0.attempts, $0.devices) }
      core.faults = before.core.withLock { $0.conversation?.faults ?? $0.faults }
      core.isLost = true
    }
    for index in core.devices.indices {
      core.devices[index].setting = settings[index]
      core.devices[index].awaitsDrain = false
    }
    self.core = Locked(core)
  }

  /// Returns the state of the process, with the lost samples of the device at this index.
  func status(of device: Int) -> ChildStatus {
    core.withLock { core in
      var status = ChildStatus(
        state: core.supervision.state, process: core.child?.process, restarts: core.supervision.restarts,
        lostSamples: core.devices[device].lostSamples.addingSaturated(
          core.conversation?.devices[device].lostSamples ?? 0))
      status.lostHeldSamples = core.devices[device].lostHeldSamples
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

  /// True when the supervision has ended; the link then starts no further process.
  var hasFinished: Bool { core.withLock { $0.supervision.state == .finished } }

  /// Ends the process. Returns once the process has ended.
  func close() async {
    core.withLock { react(to: .close, &$0) }
    await finished.wait()
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
      let now = moment(clock(), &core)
      for port in ports { port.report(.fault("quarantined\(times): \(failure)"), at: now) }
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

  /// Offers the ring and opens the plugin. Called when the plugin's manifests were validated.
  func sendOpen(_ core: inout Core) {
    if let ring = core.ring, core.conversation?.supportsRing ?? false {
      core.isRingWatched = true
      loop.watchReadable(ring.event) { [weak self] in self?.drainRing() }
      guard send(core.conversation?.offerRing(ChildRing.capacity, at: clock()), &core) else { return }
    } else {
      core.ring = nil
    }
    do throws(ChildFailure) {
      let settings = try program.openSettings()
      core.printed.mask.add(settings.secrets)
      _ = send(core.conversation?.open(settings.entries, at: clock()), &core)
    } catch {
      react(to: .broke(error), &core)
    }
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
      core.printed = OutputLines(mask: core.printed.mask)
      for device in core.devices.indices { core.devices[device].isAbsent = false }
      core.conversation = ChildConversation(
        program.devices, firstSamples: core.devices.map(\.nextSample), faults: core.faults, at: clock())
      core.conversation?.trace = program.trace
      loop.watchReadable(child.channel) { [weak self] in self?.listen() }
      loop.watchReadable(child.output) { [weak self] in self?.readOutput() }
      core.attempts.begin(at: clock())
      if child.attempts >= 0 { loop.watchReadable(child.attempts) { [weak self] in self?.refuse() } }
      loop.watchReadable(child.ending) { [weak self] in self?.reap() }
      react(to: .spawned, &core)
      _ = send(core.conversation?.hello(steady: stint_steady_clock()), &core)
    }
  }

  /// Marks the devices as available. Sends the last setting and the unanswered reading of each device to the
  /// process.
  private func serve(_ core: inout Core) {
    if core.isLost {
      let now = moment(clock(), &core)
      for port in ports { port.available(true, at: now) }
    }
    core.isLost = false
    settled.open()
    for device in core.devices.indices { sendWaiting(device, &core) }
  }

  /// Reports the failure and makes the devices unavailable. Their facts become unknown; each device counts as
  /// being in its safe state.
  private func lose(_ failure: ChildFailure, _ core: inout Core) {
    countHeld(&core)
    let now = moment(clock(), &core)
    for (device, port) in ports.enumerated() {
      let loss = core.devices[device].unreportedLoss
      port.report(.fault("\(failure)\(HeldEstimate.text(loss))"), at: now)
      core.devices[device].unreportedLoss = 0
    }
    forget(&core, at: now)
    settled.open()
  }

  /// Adds the samples that the process held to the lost samples. A second call does not add these samples
  /// again.
  func countHeld(_ core: inout Core) {
    for device in core.devices.indices { countHeld(of: device, &core) }
  }

  func countHeld(of device: Int, _ core: inout Core) {
    let held = core.conversation?.takeHeld(of: device, at: clock()) ?? 0
    core.devices[device].unreportedLoss = core.devices[device].unreportedLoss.addingSaturated(held)
    core.devices[device].lostHeldSamples = core.devices[device].lostHeldSamples.addingSaturated(held)
  }

  /// Makes the devices unavailable after the operator has removed them and their process has ended.
  func leave() {
    core.withLock { core in
      if !core.isLost { forget(&core, at: moment(clock(), &core)) }
    }
  }

  private func forget(_ core: inout Core, at now: Instant) {
    core.isLost = true
    for device in ports.indices { forget(device, at: now) }
  }

  /// Makes a device unavailable: its facts become unknown, and it counts as being in its safe state.
  func forget(_ device: Int, at now: Instant) {
    let (port, manifest) = (ports[device], program.devices[device].manifest)
    for handle in handles[device] { port.publish(handle, .unknown, at: now) }
    if !manifest.states.isEmpty { port.report(.state(manifest.safe, period: nil), at: now) }
    port.available(false, at: now)
  }
}
