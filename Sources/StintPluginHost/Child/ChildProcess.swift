import StintModel
import StintPluginKit
import StintUnits

/// The process of a plugin's program, which the plugins of all its devices share: one start, one supervision
/// and one containment. All functions may be called from any thread.
final class ChildProcess: Sendable {
  private struct State {
    var program: ChildProgram
    /// The ports of the devices; nil before a device is attached.
    var ports: [DevicePort?]
    var link: ChildLink?
    /// The last setting of each device, which is kept while no process serves.
    var settings: [Setting?]
    var isRemoved = false
    var listener: (@Sendable (String) -> Void)?
  }

  private let loop: any PluginLoop
  private let clock: LinkedPlugin.Clock
  private let state: Locked<State>

  init(_ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    self.loop = loop
    self.clock = clock
    state = Locked(
      State(
        program: program, ports: program.devices.map { _ in nil }, settings: program.devices.map { _ in nil })
    )
  }

  /// The current program; after `remove()`, the program that was removed.
  var program: ChildProgram { state.withLock { $0.program } }

  /// Returns the state of the process for the device at this index.
  func status(of device: Int) -> ChildStatus {
    let (link, isRemoved) = state.withLock { ($0.link, $0.isRemoved) }
    var status =
      link?.status(of: device) ?? ChildStatus(state: .idle, process: nil, restarts: 0, lostSamples: 0)
    status.isRemoved = isRemoved
    return status
  }

  /// Returns whether the process has not answered a `drain` of the device at this index.
  func isDraining(_ device: Int) -> Bool { state.withLock { $0.link }?.isDraining(device) ?? false }

  /// Requests the facts of the device at this index. While no process serves, also after `remove()`, the next
  /// process gets the request.
  func read(_ device: Int) { state.withLock { $0.link }?.read(device) }

  /// Returns whether a reading of the device at this index has no answer.
  func isReading(_ device: Int) -> Bool { state.withLock { $0.link }?.isReading(device) ?? false }

  /// Sets the function that receives the output lines of the process.
  func listen(_ listener: @escaping @Sendable (String) -> Void) { state.withLock { $0.listener = listener } }

  private func pass(_ line: String) { state.withLock { $0.listener }?(line) }

  /// Keeps a setting for the device at this index, and returns the link that receives it; nil when the
  /// process was not started or was removed.
  func link(keeping setting: Setting, of device: Int) -> ChildLink? {
    state.withLock { state in
      state.settings[device] = setting
      return state.isRemoved ? nil : state.link
    }
  }

  /// The current link; nil when the process was not started or was removed.
  var link: ChildLink? { state.withLock { $0.isRemoved ? nil : $0.link } }

  /// Sets the port of the device at this index.
  func attach(_ port: DevicePort, at device: Int) { state.withLock { $0.ports[device] = port } }

  /// Starts the process if it does not run. Returns once the process serves or has failed; returns at once
  /// while a device has no port.
  func open() async {
    let link = state.withLock { state -> ChildLink? in
      if let link = state.link, !link.hasFinished { return link }
      state.link = makeLink(state)
      return state.link
    }
    await link?.open()
  }

  private func makeLink(_ state: State) -> ChildLink? {
    let ports = state.ports.compactMap(\.self)
    guard ports.count == state.ports.count else { return nil }
    return ChildLink(
      state.program, ports: ports, loop: loop, clock: clock, after: state.isRemoved ? state.link : nil,
      settings: state.settings, listener: { [weak self] in self?.pass($0) })
  }

  /// Ends the process. Returns once the process has ended.
  func close() async { await link?.close() }

  // MARK: Changes during a run

  /// Ends the process; see `ChildPlugin.remove()`.
  func remove() async {
    guard let link else { return }
    state.withLock { $0.isRemoved = true }
    await link.close()
    link.leave()
  }

  /// Starts a program after `remove()`; see `ChildPlugin.add(_:)`.
  func add(_ program: ChildProgram) async {
    precondition(
      program.devices.map(\.manifest) == self.program.devices.map(\.manifest),
      "the new program has other manifests")
    let link = state.withLock { state -> ChildLink? in
      guard state.isRemoved else { return nil }
      state.program = program
      guard let link = makeLink(state) else { return nil }
      state.link = link
      state.isRemoved = false
      return link
    }
    await link?.open()
  }
}
