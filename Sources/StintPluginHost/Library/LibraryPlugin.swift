public import StintModel
public import StintPluginKit
public import StintUnits

/// A device in a shared library that is loaded into the daemon, for plugins in C that the operator trusts.
///
/// A library may serve several devices, each with a `LibraryPlugin` of its own. The library is loaded when
/// the first of them is opened, and destroyed when the first of them is closed.
public actor LibraryPlugin: SensorPlugin, RadioPlugin, TransferCarrier, SourcePlugin, SupervisedPlugin {
  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  /// The index of the device in the order of the program's manifests.
  private nonisolated let index: Int
  private nonisolated let library: SharedLibrary

  /// Makes the plugin of a library with one device, without loading the library; `open` loads it.
  ///
  /// - Parameters:
  ///   - program: the description of the plugin; its path is the path of the library.
  ///   - loop: the event loop on whose thread the library is called.
  ///   - clock: returns the host's current time.
  /// - Precondition: the program has one device.
  public init(_ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    precondition(program.devices.count == 1, "the program has several devices")
    self.init(SharedLibrary(program, on: loop, clock: clock), at: 0)
  }

  /// Makes the plugins of all devices of a library; see `init(_:on:clock:)`. A `PluginSet` must contain and
  /// open all of these plugins.
  public static func plugins(
    _ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock
  ) -> [LibraryPlugin] {
    let library = SharedLibrary(program, on: loop, clock: clock)
    return program.devices.indices.map { LibraryPlugin(library, at: $0) }
  }

  private init(_ library: SharedLibrary, at index: Int) {
    self.library = library
    self.index = index
    manifest = library.program.devices[index].manifest
  }

  /// The state of the library. May be read from any thread.
  package nonisolated var status: ChildStatus {
    library.link?.status(of: index)
      ?? ChildStatus(state: .idle, process: nil, restarts: 0, lostSamples: 0)
  }

  package nonisolated var programHash: String? { library.program.hash }

  /// True while the library has not answered a `drain`, the request for its stored samples.
  package nonisolated var isDraining: Bool { library.link?.isDraining(index) ?? false }

  package nonisolated var isAbsent: Bool { library.link?.isAbsent(index) ?? false }

  package nonisolated func attach(_ port: DevicePort) { library.attach(port, at: index) }

  /// Loads the library, unless another device has loaded it. Returns once the library serves or has failed. A
  /// failure is reported through the ports of all devices.
  public func open(_ port: DevicePort, at instant: Instant) async throws(Problem) {
    library.attach(port, at: index)
    await library.open()
  }

  /// Passes the setting to the library.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    library.link?.apply(setting, to: index)
  }

  /// Requests the samples that the library has stored.
  public func drain(at instant: Instant, reason: DeliveryReason) { library.link?.drain(reason, of: index) }

  /// Requests the facts of a source.
  public func read(at instant: Instant) { library.link?.read(index) }

  /// Passes the transfers to the library of a radio.
  public func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {
    library.link?.startTransfers(transfers, on: index)
  }

  /// Passes the library the request to stop a transfer.
  ///
  /// - Returns: nil, because the library answers later.
  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? {
    library.link?.cancelTransfer(demand, on: index)
    return nil
  }

  /// Passes an order to the library of a carrier.
  public func handle(_ order: TransferOrder, at instant: Instant) { library.link?.handle(order, by: index) }

  /// Does nothing: the library handles its own alarms.
  public func wake(at instant: Instant, horizon: Instant) {}

  /// Closes and destroys the library for all its devices. The code of the library stays loaded.
  public func close(at instant: Instant) async { await library.link?.close() }
}
