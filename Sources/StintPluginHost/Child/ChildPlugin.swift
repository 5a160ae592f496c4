public import StintModel
public import StintPluginKit
public import StintUnits

/// A device behind a process of its own: the default for plugins that the operator did not write.
///
/// The process can crash, hang, lie or flood; the bus stays up, the device falls to its manifest's safe state, what
/// it knew becomes unknown, and the process is started again until that is hopeless.
public actor ChildPlugin: SensorPlugin, SupervisedPlugin {
  public nonisolated let manifest: Manifest
  public nonisolated let program: ChildProgram
  private nonisolated let loop: any ChildLoop
  private nonisolated let clock: LinkedPlugin.Clock
  private nonisolated let link = Locked<ChildLink?>(nil)

  /// Makes the plugin; nothing is started before `open`.
  ///
  /// - Parameters:
  ///   - loop: whose thread starts the process and must outlive it.
  ///   - clock: the time of the run.
  public init(_ program: ChildProgram, on loop: any ChildLoop, clock: @escaping LinkedPlugin.Clock) {
    self.program = program
    manifest = program.manifest
    self.loop = loop
    self.clock = clock
  }

  /// How the process is doing. May be asked from any thread.
  public nonisolated var standing: ChildStanding {
    link.withLock { $0 }?.standing ?? ChildStanding(state: .idle, process: nil, restarts: 0, lostSamples: 0)
  }

  public func open(_ port: DevicePort, at instant: Instant) async throws(PluginError) {
    let link = ChildLink(program, port: port, loop: loop, clock: clock)
    self.link.withLock { $0 = link }
    await link.open()
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    link.withLock { $0 }?.apply(setting)
  }

  public func drain(at instant: Instant, reason: HandOver) { link.withLock { $0 }?.drain(reason) }

  public func wake(at instant: Instant, horizon: Instant) {}

  public func close(at instant: Instant) async { await link.withLock { $0 }?.close() }
}
