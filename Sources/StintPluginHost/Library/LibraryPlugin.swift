public import StintModel
public import StintPluginKit
public import StintUnits

/// A device in a library that is loaded into the daemon: for plugins in C that the operator trusts.
public actor LibraryPlugin: SensorPlugin, SupervisedPlugin {
  public nonisolated let manifest: Manifest
  private nonisolated let program: ChildProgram
  private nonisolated let loop: any ChildLoop
  private nonisolated let clock: LinkedPlugin.Clock
  private nonisolated let link = Locked<LibraryLink?>(nil)

  /// Makes the plugin; nothing is loaded before `open`.
  ///
  /// - Parameters:
  ///   - program: whose path is the library's.
  ///   - loop: on whose thread the library is called.
  ///   - clock: the time of the run.
  public init(_ program: ChildProgram, on loop: any ChildLoop, clock: @escaping LinkedPlugin.Clock) {
    self.program = program
    manifest = program.manifest
    self.loop = loop
    self.clock = clock
  }

  public nonisolated var status: ChildStatus {
    link.withLock { $0 }?.status ?? ChildStatus(state: .idle, process: nil, restarts: 0, lostSamples: 0)
  }

  public func open(_ port: DevicePort, at instant: Instant) async throws(PluginError) {
    let link = LibraryLink(program, port: port, loop: loop, clock: clock)
    self.link.withLock { $0 = link }
    await link.open()
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    link.withLock { $0 }?.apply(setting)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) { link.withLock { $0 }?.drain(reason) }

  public func wake(at instant: Instant, horizon: Instant) {}

  public func close(at instant: Instant) async { await link.withLock { $0 }?.close() }
}
