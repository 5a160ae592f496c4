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
    /// The latest instant that was reported for any device.
    var lastReport = Instant(nanoseconds: .min)
    /// The devices of the library, in the order of the plugin's manifests.
    var devices: [ServedDevice]
    /// The secrets that no fault may contain.
    var mask = SecretMask()
  }

  private let program: ChildProgram
  /// The ports of the devices, in the order of the plugin's manifests.
  private let ports: [DevicePort]
  private let loop: any PluginLoop
  private let clock: LinkedPlugin.Clock
  private let core: Locked<Core>
  /// The facts of each device.
  private let handles: [[FactHandle]]
  /// The event that occurs when the library serves or has failed.
  private let settled = AsyncEvent()
  /// The event that occurs when the library has answered `close` or has ended.
  private let closed = AsyncEvent()

  /// - Parameter ports: the ports of the devices, in the order of the plugin's manifests.
  init(
    _ program: ChildProgram, ports: [DevicePort], loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock
  ) {
    self.program = program
    self.ports = ports
    self.loop = loop
    self.clock = clock
    handles = zip(program.devices, ports).map { device, port in
      device.manifest.facts.map { port.handle($0.path) }
    }
    let now = clock()
    core = Locked(
      Core(
        conversation: ChildConversation(
          program.devices, firstSamples: ports.map { _ in 0 }, faults: FaultBudget(at: now), at: now),
        devices: ports.map { _ in ServedDevice() }))
    core.withLock { $0.conversation.trace = program.trace }
  }

  /// Returns the state of the library, with the lost samples of the device at this index.
  func status(of device: Int) -> ChildStatus {
    core.withLock { core in
      var status = ChildStatus(
        state: core.state, process: nil, restarts: 0,
        lostSamples: core.conversation.devices[device].lostSamples)
      status.lostHeldSamples = core.devices[device].lostHeldSamples
      status.droppedFaults = core.conversation.faults.dropped
      return status
    }
  }

  // MARK: Requests of the host, on the loop's thread

  /// Loads the library at the first call. Returns once the library serves or has failed.
  func open() async {
    if core.withLock({ $0.state }) == .idle { begin() }
    await settled.wait()
  }

  func apply(_ setting: Setting, to device: Int) {
    core.withLock { $0.devices[device].setting = setting }
    ask(device) { $0.apply(setting, to: device, at: clock()) }
  }

  /// True while the library has not answered a `drain`, the request for its stored samples.
  func isDraining(_ device: Int) -> Bool {
    core.withLock { core in
      (core.state == .serving || core.state == .closing) && core.conversation.devices[device].isDraining
    }
  }

  func drain(_ reason: DeliveryReason, of device: Int) {
    core.withLock { $0.devices[device].awaitsDrain = true }
    ask(device) { $0.drain(reason, of: device, at: clock()) }
  }

  func read(_ device: Int) {
    let isReading = core.withLock { core in
      core.devices[device].awaitsReading = true
      return core.conversation.devices[device].isReading
    }
    // A slow source answers one reading after the other, so a second request would only wait.
    if !isReading { ask(device) { $0.read(device, at: clock()) } }
  }

  /// Passes transfers to the library. Does nothing while the library does not serve or the device is gone.
  func startTransfers(_ transfers: [AssignedTransfer], on device: Int) {
    for transfer in transfers where !pass(device, { $0.startTransfer(transfer, on: device, at: clock()) }) {
      lose(ChildFailure(.hang, "leaves too many transfers unanswered"))
    }
  }

  /// Passes the library the request to stop a transfer.
  func cancelTransfer(_ demand: DemandID, on device: Int) {
    _ = pass(device) { $0.cancelTransfer(demand, on: device, at: clock()) }
  }

  /// Passes an order to the library of a carrier.
  func handle(_ order: TransferOrder, by device: Int) {
    _ = pass(device) { $0.handle(order, by: device, at: clock()) }
  }

  /// True after the library has reported that the device is gone, until it reports that the device is back.
  func isAbsent(_ device: Int) -> Bool { core.withLock { $0.devices[device].isAbsent } }

  /// Passes a message whose answer has no deadline, if the library serves the device. Returns false when the
  /// library serves the device and `message` returns nil. The library is called outside the lock, because it
  /// may answer during the call.
  private func pass(_ device: Int, _ message: (inout ChildConversation) -> [UInt8]?) -> Bool {
    let (library, bytes) = core.withLock { core -> (LoadedLibrary?, [UInt8]?) in
      guard core.state == .serving, core.conversation.isPresent(device) else { return (nil, nil) }
      return (core.library, message(&core.conversation))
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

  /// Sends a request for a device. The library is called outside the lock, because it may answer during the
  /// call.
  private func ask(_ device: Int, _ verb: (inout ChildConversation) -> [UInt8]?) {
    let (library, bytes) = core.withLock { core -> (LoadedLibrary?, [UInt8]?) in
      guard core.state == .serving, core.conversation.isPresent(device) else { return (nil, nil) }
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
      while let (device, message) = try next() { dispatch(message, of: device) }
    } catch {
      lose(ChildFailure(error))
    }
  }

  private func next() throws(FrameFault) -> (device: Int, message: PluginMessage)? {
    try core.withLock { core throws(FrameFault) in
      guard core.library != nil else { return nil }
      let unanswered = core.conversation.unansweredCount
      let message = try core.conversation.nextMessage(at: clock())
      if core.conversation.unansweredCount < unanswered {
        setDeadline(
          core.conversation.unansweredCount > 0 ? program.limits.answer : nil, "did not answer", &core)
      }
      return message
    }
  }

  private func dispatch(_ message: PluginMessage, of device: Int) {
    let port = ports[device]
    switch message {
    case .described:
      do throws(ChildFailure) {
        let settings = try program.openSettings()
        let (library, bytes) = core.withLock { core in
          core.mask.add(settings.secrets)
          return (core.library, core.conversation.open(settings.entries, at: clock()))
        }
        library?.take(bytes)
      } catch {
        lose(error)
      }
    case .opened:
      core.withLock { core in
        core.state = .serving
        setDeadline(nil, "", &core)
      }
      settled.open()
      for device in ports.indices { sendWaiting(device) }
    case .answered: endDrain(of: device)
    case .read(let facts):
      // The facts of a reading have one instant, so that one step of the host gets all of them.
      if let last = facts.map(\.instant).max() {
        let instant = monotonic(last)
        for item in facts { port.publish(handles[device][item.fact], item.value, at: instant) }
      }
      core.withLock { core in
        if !core.conversation.devices[device].isReading, !core.devices[device].isAbsent {
          core.devices[device].awaitsReading = false
        }
      }
    case .closed: closed.open()
    case .outcome(let outcome, let instant):
      port.report(core.withLock { $0.mask.masked(outcome) }, at: monotonic(instant))
    case .batch(let batch, let instant): port.deliver(batch, at: monotonic(instant))
    case .fact(let fact, let value, let instant):
      port.publish(handles[device][fact], value, at: monotonic(instant))
    case .keyed(let family, let key, let value, let instant):
      port.publish(handles[device][family], key: key, value, at: monotonic(instant))
    case .available(let isThere, let instant): setPresence(of: device, isThere, at: monotonic(instant))
    case .carried(let demand, let instant): port.carried(demand, at: monotonic(instant))
    case .transferred(let report, let instant):
      port.transferred(core.withLock { $0.mask.masked(report) }, at: monotonic(instant))
    // The host ignores `wakeAt` of a library, because a library uses the threads and timers of the daemon.
    case .wakeAt, .abandoned, .dropped, .ignored: break
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

  /// Records the answer to a drain. After the last drain, wakes the host. The host then reads the port, so
  /// the drain ends even when no batch arrived.
  private func endDrain(of device: Int) {
    let isDrained = core.withLock { core in
      guard core.devices[device].awaitsDrain, !core.conversation.devices[device].isDraining else {
        return false
      }
      core.devices[device].awaitsDrain = false
      return true
    }
    if isDrained { ports[device].setAlarm(at: monotonic(clock())) }
  }

  /// Sends the last setting and the unanswered reading of a device that the library serves from now on.
  private func sendWaiting(_ device: Int) {
    let waiting = core.withLock { $0.devices[device] }
    if let setting = waiting.setting { ask(device) { $0.apply(setting, to: device, at: clock()) } }
    if waiting.awaitsReading { ask(device) { $0.read(device, at: clock()) } }
  }

  /// Handles the report that a device is available or not; see `FrameLayout.minorWithAbsence`.
  private func setPresence(of device: Int, _ isThere: Bool, at now: Instant) {
    guard core.withLock({ $0.conversation.supportsAbsence }) else {
      ports[device].available(isThere, at: now)
      return
    }
    let (isChanged, loss) = core.withLock { core -> (Bool, Int) in
      guard core.devices[device].isAbsent == isThere else { return (false, 0) }
      core.devices[device].isAbsent = !isThere
      return (true, isThere ? 0 : takeHeld(of: device, &core))
    }
    guard isChanged else { return }
    guard isThere else {
      if loss > 0 { ports[device].report(.fault("the device is gone\(HeldEstimate.text(loss))"), at: now) }
      forget(device, at: now)
      return
    }
    ports[device].available(true, at: now)
    sendWaiting(device)
  }

  // MARK: The end of the library

  private func lose(_ failure: ChildFailure) {
    let (isFirst, held) = core.withLock { core -> (Bool, [Int]) in
      let held = ports.indices.map { takeHeld(of: $0, &core) }
      switch core.state {
      case .idle, .starting, .serving: return (true, held)
      case .closing, .dying, .waiting, .quarantined, .finished: return (false, held)
      }
    }
    end(isFirst ? .quarantined(failure) : .finished)
    let now = monotonic(clock())
    for (device, port) in ports.enumerated() {
      if isFirst || held[device] > 0 {
        port.report(.fault("\(failure)\(HeldEstimate.text(held[device]))"), at: now)
      }
      guard isFirst else { continue }
      forget(device, at: now)
      port.report(.fault("quarantined: \(failure)"), at: now)
    }
  }

  /// Returns the estimated number of samples that a device held and that are lost, and counts them.
  private func takeHeld(of device: Int, _ core: inout Core) -> Int {
    let held = core.conversation.takeHeld(of: device, at: clock())
    core.devices[device].lostHeldSamples = core.devices[device].lostHeldSamples.addingSaturated(held)
    return held
  }

  /// Makes a device unavailable: its facts become unknown, and it counts as being in its safe state.
  private func forget(_ device: Int, at now: Instant) {
    let (port, manifest) = (ports[device], program.devices[device].manifest)
    for handle in handles[device] { port.publish(handle, .unknown, at: now) }
    if !manifest.states.isEmpty { port.report(.state(manifest.safe, period: nil), at: now) }
    port.available(false, at: now)
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
