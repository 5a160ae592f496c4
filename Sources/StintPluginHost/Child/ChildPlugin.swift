public import StintModel
public import StintPluginKit
public import StintUnits

/// A device that a separate process serves: the default for plugins that the operator did not write.
///
/// The process can crash, hang, violate the protocol or flood the host without affecting the bus. The device
/// then falls back to its manifest's safe state and its facts become unknown. The host restarts the process,
/// and quarantines the plugin after too many failures.
public actor ChildPlugin: SensorPlugin, RadioPlugin, TransferCarrier, SupervisedPlugin {
  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  private nonisolated let loop: any PluginLoop
  private nonisolated let clock: LinkedPlugin.Clock
  private nonisolated let state: Locked<State>

  private struct State {
    var program: ChildProgram
    var port: DevicePort?
    var link: ChildLink?
    /// The last setting of the device, which is kept while the device has no process.
    var setting: Setting?
    var isRemoved = false
    var listener: (@Sendable (String) -> Void)?
  }

  /// Makes the plugin without starting a process; `open` starts it.
  ///
  /// - Parameters:
  ///   - loop: the event loop that watches the process. If the loop cannot start threads, the process is
  ///     started on the thread of the loop. This thread must then exist until the process has ended.
  ///   - clock: returns the host's current time.
  public init(_ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    manifest = program.manifest
    self.loop = loop
    self.clock = clock
    state = Locked(State(program: program))
  }

  /// The current program; after `remove()`, the program that was removed.
  public nonisolated var program: ChildProgram { state.withLock { $0.program } }

  package nonisolated var programHash: String? { program.hash }

  /// The state of the process. May be read from any thread.
  package nonisolated var status: ChildStatus {
    let (link, isRemoved) = state.withLock { ($0.link, $0.isRemoved) }
    var status =
      link?.status ?? ChildStatus(state: .idle, process: nil, restarts: 0, lostSamples: 0)
    status.isRemoved = isRemoved
    return status
  }

  /// True when the host no longer restarts the plugin's process. The reason is too many failures, or one
  /// failure that a restart cannot repair.
  package nonisolated var isQuarantined: Bool {
    if case .quarantined = status.state { true } else { false }
  }

  /// True while the process has not answered a `drain`, the request for its stored samples.
  package nonisolated var isDraining: Bool { state.withLock { $0.link }?.isDraining ?? false }

  /// Ends the process because of a failure, and lets the supervision restart it.
  ///
  /// - Returns: false when no process serves; the call then does nothing.
  package nonisolated func fail(_ failure: ChildFailure) -> Bool { link()?.fail(failure) ?? false }

  package nonisolated func listen(_ listener: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.listener = listener }
  }

  /// Passes a line that the process printed.
  private nonisolated func pass(_ line: String) { state.withLock { $0.listener }?(line) }

  /// Starts the process. Returns once the process serves or has failed. A failure is reported through
  /// the port.
  public func open(_ port: DevicePort, at instant: Instant) async throws(Problem) {
    let link = state.withLock { state in
      let link = ChildLink(
        state.program, port: port, loop: loop, clock: clock, setting: state.setting,
        listener: { [weak self] in self?.pass($0) })
      state.port = port
      state.link = link
      return link
    }
    await link.open()
  }

  /// Sends the setting to the process. While no process serves, keeps the setting for the next process.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    link { $0.setting = setting }?.apply(setting)
  }

  /// Requests the samples that the process has stored.
  public func drain(at instant: Instant, reason: DeliveryReason) { link()?.drain(reason) }

  /// Sends the transfers to the process of a radio.
  public func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {
    link()?.startTransfers(transfers)
  }

  /// Sends the request to stop a transfer.
  ///
  /// - Returns: nil, because the process answers later.
  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? {
    link()?.cancelTransfer(demand)
    return nil
  }

  /// Sends an order to the process of a carrier.
  public func handle(_ order: TransferOrder, at instant: Instant) { link()?.handle(order) }

  /// Does nothing: the process handles its own alarms.
  public func wake(at instant: Instant, horizon: Instant) {}

  /// Ends the process. Returns once the process has ended.
  public func close(at instant: Instant) async { await link()?.close() }

  /// Changes the state and returns the current link. Nil when the plugin is not open or was removed.
  private nonisolated func link(_ change: (inout State) -> Void = { _ in }) -> ChildLink? {
    state.withLock { state in
      change(&state)
      return state.isRemoved ? nil : state.link
    }
  }

  // MARK: Changes during a run

  /// Ends the process and frees its resources. The device falls back to its safe state and its facts become
  /// unknown. The device is unavailable until `add(_:)`.
  ///
  /// Returns once the process has ended. Call it between `open` and `close`; a second call does nothing.
  public func remove() async {
    guard let link = link({ _ in }) else { return }
    state.withLock { $0.isRemoved = true }
    await link.close()
    link.leave()
  }

  /// Starts a program for a removed device and sends it the device's last setting. Returns once the process
  /// serves or has failed. Does nothing when the device was not removed.
  ///
  /// - Precondition: the program has the manifest of the previous program.
  public func add(_ program: ChildProgram) async {
    precondition(program.manifest == manifest, "the new program has another manifest")
    let link = state.withLock { state -> ChildLink? in
      guard state.isRemoved, let port = state.port else { return nil }
      let link = ChildLink(
        program, port: port, loop: loop, clock: clock, after: state.link, setting: state.setting,
        listener: { [weak self] in self?.pass($0) })
      state.program = program
      state.link = link
      state.isRemoved = false
      return link
    }
    await link?.open()
  }
}
