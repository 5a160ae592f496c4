import StintModel
import StintPluginKit

/// The library of a plugin, which the plugins of all its devices share. All functions may be called from any
/// thread, except that the library is opened and closed on the thread of the loop.
final class SharedLibrary: Sendable {
  private struct State {
    /// The ports of the devices; nil before a device is attached.
    var ports: [DevicePort?]
    var link: LibraryLink?
  }

  let program: ChildProgram
  private let loop: any PluginLoop
  private let clock: LinkedPlugin.Clock
  private let state: Locked<State>

  init(_ program: ChildProgram, on loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock) {
    self.program = program
    self.loop = loop
    self.clock = clock
    state = Locked(State(ports: program.devices.map { _ in nil }))
  }

  /// The connection to the library; nil before the library was opened.
  var link: LibraryLink? { state.withLock { $0.link } }

  /// Sets the port of the device at this index.
  func attach(_ port: DevicePort, at device: Int) { state.withLock { $0.ports[device] = port } }

  /// Loads the library unless another device has loaded it. Returns once the library serves or has failed;
  /// returns at once while a device has no port.
  func open() async {
    let link = state.withLock { state -> LibraryLink? in
      let ports = state.ports.compactMap(\.self)
      guard state.link == nil, ports.count == state.ports.count else { return state.link }
      state.link = LibraryLink(program, ports: ports, loop: loop, clock: clock)
      return state.link
    }
    await link?.open()
  }
}
