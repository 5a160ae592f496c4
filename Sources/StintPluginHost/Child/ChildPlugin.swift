public import StintModel
public import StintPluginKit
public import StintUnits

/// A device behind a process of its own: the default for plugins that the operator did not write.
///
/// The process can crash, hang, lie or flood; the bus stays up, the device falls to its manifest's safe state, what
/// it knew becomes unknown, and the process is started again until that is hopeless.
public actor ChildPlugin: SensorPlugin, SupervisedPlugin {
  public nonisolated let manifest: Manifest
  private nonisolated let loop: any ChildLoop
  private nonisolated let clock: LinkedPlugin.Clock
  private nonisolated let state: Locked<State>

  private struct State {
    var program: ChildProgram
    var port: DevicePort?
    var link: ChildLink?
    /// The last setting that the device got, also while its process is gone.
    var setting: Setting?
    var isRemoved = false
  }

  /// Makes the plugin; nothing is started before `open`.
  ///
  /// - Parameters:
  ///   - loop: whose thread starts the process and must outlive it.
  ///   - clock: the time of the run.
  public init(_ program: ChildProgram, on loop: any ChildLoop, clock: @escaping LinkedPlugin.Clock) {
    manifest = program.manifest
    self.loop = loop
    self.clock = clock
    state = Locked(State(program: program))
  }

  /// What is started, or was before it was removed.
  public nonisolated var program: ChildProgram { state.withLock { $0.program } }

  /// How the process is doing. May be asked from any thread.
  public nonisolated var status: ChildStatus {
    let (link, isRemoved) = state.withLock { ($0.link, $0.isRemoved) }
    var status =
      link?.status ?? ChildStatus(state: .idle, process: nil, restarts: 0, lostSamples: 0)
    status.isRemoved = isRemoved
    return status
  }

  public func open(_ port: DevicePort, at instant: Instant) async throws(PluginError) {
    let link = ChildLink(program, port: port, loop: loop, clock: clock)
    state.withLock { state in
      state.port = port
      state.link = link
    }
    await link.open()
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    link { $0.setting = setting }?.apply(setting)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) { link()?.drain(reason) }

  public func wake(at instant: Instant, horizon: Instant) {}

  public func close(at instant: Instant) async { await link()?.close() }

  /// The one in use; nil while there is none.
  private func link(_ change: (inout State) -> Void = { _ in }) -> ChildLink? {
    state.withLock { state in
      change(&state)
      return state.isRemoved ? nil : state.link
    }
  }

  // MARK: While others go on

  /// Ends the process and gives back all that belongs to it; the device is as its manifest says that it falls to, what
  /// it knew is unknown, and it is not available until `add`.
  ///
  /// Returns once the process is gone. To be called between `open` and `close`; twice is harmless.
  public func remove() async {
    guard let link = link({ _ in }) else { return }
    state.withLock { $0.isRemoved = true }
    await link.close()
    link.leave()
  }

  /// Starts a program for the device again, and sends it the device's last setting. Returns once it serves or
  /// has failed; does nothing unless it was removed.
  ///
  /// - Precondition: the program has the manifest of the one before.
  public func add(_ program: ChildProgram) async {
    precondition(program.manifest == manifest, "a device that is added again is what it was")
    let link = state.withLock { state -> ChildLink? in
      guard state.isRemoved, let port = state.port else { return nil }
      let link = ChildLink(
        program, port: port, loop: loop, clock: clock, after: state.link, setting: state.setting)
      state.program = program
      state.link = link
      state.isRemoved = false
      return link
    }
    await link?.open()
  }
}
