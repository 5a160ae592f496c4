public import StintModel
public import StintPluginKit
public import StintUnits

/// A device that a separate process serves: the default for plugins that the operator did not write.
///
/// The process can crash, hang, violate the protocol or flood the host without affecting the bus. The device
/// then falls back to its manifest's safe state and its facts become unknown. The host restarts the process,
/// and quarantines the plugin after too many failures.
///
/// A process may serve several devices, each with a `ChildPlugin` of its own. The process starts when the
/// first of them is opened, and ends when the first of them is closed.
public actor ChildPlugin: SensorPlugin, RadioPlugin, TransferCarrier, SourcePlugin, SupervisedPlugin {
  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  /// The index of the device in the order of the program's manifests.
  private nonisolated let index: Int
  private nonisolated let process: ChildProcess

  /// Makes the plugin of a program with one device, without starting a process; `open` starts it.
  ///
  /// - Parameters:
  ///   - loop: the event loop that watches the process. If the loop cannot start threads, the process is
  ///     started on the thread of the loop. This thread must then exist until the process has ended.
  ///   - clock: returns the host's current time.
  /// - Precondition: the program has one device.
  public init(_ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    precondition(program.devices.count == 1, "the program has several devices")
    self.init(ChildProcess(program, on: loop, clock: clock), program, at: 0)
  }

  /// Makes the plugins of all devices of a program, which share one process; see `init(_:on:clock:)`.
  ///
  /// A `PluginSet` must contain and open all of these plugins.
  public static func plugins(
    _ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock
  ) -> [ChildPlugin] {
    let process = ChildProcess(program, on: loop, clock: clock)
    return program.devices.indices.map { ChildPlugin(process, program, at: $0) }
  }

  private init(_ process: ChildProcess, _ program: ChildProgram, at index: Int) {
    self.process = process
    self.index = index
    manifest = program.devices[index].manifest
  }

  /// The current program; after `remove()`, the program that was removed.
  public nonisolated var program: ChildProgram { process.program }

  package nonisolated var programHash: String? { program.hash }

  /// The state of the process. May be read from any thread.
  package nonisolated var status: ChildStatus { process.status(of: index) }

  /// True when the host no longer restarts the plugin's process. The reason is too many failures, or one
  /// failure that a restart cannot repair.
  package nonisolated var isQuarantined: Bool {
    if case .quarantined = status.state { true } else { false }
  }

  /// True while the process has not answered a `drain`, the request for its stored samples.
  package nonisolated var isDraining: Bool { process.isDraining(index) }

  package nonisolated var isAbsent: Bool { process.link?.isAbsent(index) ?? false }

  /// True while the process has not answered a `read`, the request for the facts of a source.
  package nonisolated var isReading: Bool { process.isReading(index) }

  /// Ends the process because of a failure of this device. The supervision may then restart the process.
  ///
  /// - Returns: false when no process serves; the call then does nothing.
  package nonisolated func fail(_ failure: ChildFailure) -> Bool {
    process.link?.fail(failure, of: index) ?? false
  }

  package nonisolated func listen(_ listener: @escaping @Sendable (String) -> Void) {
    if index == 0 { process.listen(listener) }
  }

  package nonisolated func attach(_ port: DevicePort) { process.attach(port, at: index) }

  /// Starts the process, unless another device has started it. Returns once the process serves or has
  /// failed. A failure is reported through the ports of all devices.
  public func open(_ port: DevicePort, at instant: Instant) async throws(Problem) {
    process.attach(port, at: index)
    await process.open()
  }

  /// Sends the setting to the process. While no process serves, keeps the setting for the next process.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    process.link(keeping: setting, of: index)?.apply(setting, to: index)
  }

  /// Requests the samples that the process has stored.
  public func drain(at instant: Instant, reason: DeliveryReason) { process.link?.drain(reason, of: index) }

  /// Requests the facts of a source. While no process serves, keeps the request for the next process.
  public func read(at instant: Instant) { process.read(index) }

  /// Sends the transfers to the process of a radio.
  public func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {
    process.link?.startTransfers(transfers, on: index)
  }

  /// Sends the request to stop a transfer.
  ///
  /// - Returns: nil, because the process answers later.
  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? {
    process.link?.cancelTransfer(demand, on: index)
    return nil
  }

  /// Sends an order to the process of a carrier.
  public func handle(_ order: TransferOrder, at instant: Instant) { process.link?.handle(order, by: index) }

  /// Does nothing: the process handles its own alarms.
  public func wake(at instant: Instant, horizon: Instant) {}

  /// Ends the process for all its devices. Returns once the process has ended.
  public func close(at instant: Instant) async { await process.close() }

  // MARK: Changes during a run

  /// Ends the process and frees its resources. Its devices fall back to their safe states and their facts
  /// become unknown. The devices are unavailable until `add(_:)`.
  ///
  /// Returns once the process has ended. Call this function between `open` and `close`; a second call does
  /// nothing.
  public func remove() async { await process.remove() }

  /// Starts a program for the devices of a removed process and sends it the last setting of each device.
  /// Returns once the process serves or has failed. Does nothing when the process was not removed.
  ///
  /// - Precondition: the program has the manifests of the previous program.
  public func add(_ program: ChildProgram) async { await process.add(program) }
}
