public import StintModel
public import StintPluginKit
public import StintUnits

/// A device in a shared library that is loaded into the daemon, for plugins in C that the operator trusts.
public actor LibraryPlugin: SensorPlugin, RadioPlugin, TransferCarrier, SourcePlugin, SupervisedPlugin {
  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  private nonisolated let program: ChildProgram
  private nonisolated let loop: any PluginLoop
  private nonisolated let clock: LinkedPlugin.Clock
  private nonisolated let link = Locked<LibraryLink?>(nil)

  /// Makes the plugin without loading the library; `open` loads it.
  ///
  /// - Parameters:
  ///   - program: the description of the plugin; its path is the path of the library.
  ///   - loop: the event loop on whose thread the library is called.
  ///   - clock: returns the host's current time.
  public init(_ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    self.program = program
    manifest = program.manifest
    self.loop = loop
    self.clock = clock
  }

  /// The state of the library. May be read from any thread.
  package nonisolated var status: ChildStatus {
    link.withLock { $0 }?.status ?? ChildStatus(state: .idle, process: nil, restarts: 0, lostSamples: 0)
  }

  package nonisolated var programHash: String? { program.hash }

  /// True while the library has not answered a `drain`, the request for its stored samples.
  package nonisolated var isDraining: Bool { link.withLock { $0 }?.isDraining ?? false }

  /// Loads the library. Returns once the library serves or has failed. A failure is reported through
  /// the port.
  public func open(_ port: DevicePort, at instant: Instant) async throws(Problem) {
    let link = LibraryLink(program, port: port, loop: loop, clock: clock)
    self.link.withLock { $0 = link }
    await link.open()
  }

  /// Passes the setting to the library.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    link.withLock { $0 }?.apply(setting)
  }

  /// Requests the samples that the library has stored.
  public func drain(at instant: Instant, reason: DeliveryReason) { link.withLock { $0 }?.drain(reason) }

  /// Requests the facts of a source.
  public func read(at instant: Instant) { link.withLock { $0 }?.read() }

  /// Passes the transfers to the library of a radio.
  public func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {
    link.withLock { $0 }?.startTransfers(transfers)
  }

  /// Passes the library the request to stop a transfer.
  ///
  /// - Returns: nil, because the library answers later.
  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? {
    link.withLock { $0 }?.cancelTransfer(demand)
    return nil
  }

  /// Passes an order to the library of a carrier.
  public func handle(_ order: TransferOrder, at instant: Instant) { link.withLock { $0 }?.handle(order) }

  /// Does nothing: the library handles its own alarms.
  public func wake(at instant: Instant, horizon: Instant) {}

  /// Closes and destroys the device. The library stays loaded.
  public func close(at instant: Instant) async { await link.withLock { $0 }?.close() }
}
