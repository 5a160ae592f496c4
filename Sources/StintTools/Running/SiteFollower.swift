import StintFormats
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime

/// Follows the site file of a run: a plugin in a process of its own that is taken out of it is ended, and begun again
/// when it is put back, while all others go on.
///
/// What a device is called and can do was fixed when the run began, with its policies. So a device that was not there
/// then, or comes back as another, waits for a new start; so do plugins that are part of the daemon.
final class SiteFollower: Sendable {
  private struct State {
    /// What each process was started as, by device.
    var known: [DeviceID: SiteDevices.Named]
    /// The other plugins, as the file has them.
    var others: [Site.Plugin]
    /// What is still to be done, in this order.
    var steps: [Step] = []
    var isBusy = false
  }

  private enum Step: Sendable {
    case remove(DeviceID)
    case add(DeviceID, ChildProgram)
  }

  private let devices: SiteDevices
  private let manifestTexts: [DeviceID: String]
  private let loop: LoopExecutor
  private let log: @Sendable (String) -> Void
  private let state: Locked<State>

  /// Nil when the site file cannot be read a second time.
  init?(_ devices: SiteDevices, on loop: LoopExecutor, log: @escaping @Sendable (String) -> Void) {
    self.devices = devices
    self.loop = loop
    self.log = log
    manifestTexts = Dictionary(
      zip(devices.plugins.map(\.manifest.device), devices.manifestTexts),
      uniquingKeysWith: { first, _ in first })
    let known: [DeviceID: SiteDevices.Named]
    do { known = try devices.named().children } catch {
      log("\(devices.path) is not watched: \(error)")
      return nil
    }
    state = Locked(State(known: known, others: Self.others(devices.site)))
  }

  private static func others(_ site: Site) -> [Site.Plugin] {
    site.plugins.filter { $0.descriptor == nil || $0.isLibrary }
  }

  /// The file may have changed: does what it says now, a device after the other, and tells about it. What it asks for
  /// happens after this has returned; what is wrong with the file leaves everything as it is.
  func follow() {
    do {
      let (site, named) = try devices.named()
      let begins = state.withLock { state in
        let isIdle = state.steps.isEmpty && !state.isBusy
        compare(named, site, &state)
        guard isIdle, !state.steps.isEmpty else { return false }
        state.isBusy = true
        return true
      }
      guard begins else { return }
      Spawner.start(on: loop) { [self] in await work() }
    } catch {
      log("\(error)\n\(devices.path) is left as it was")
    }
  }

  private func compare(_ named: [DeviceID: SiteDevices.Named], _ site: Site, _ state: inout State) {
    for device in state.known.keys.sorted() where named[device] == nil {
      state.known[device] = nil
      state.steps.append(.remove(device))
    }
    for (device, new) in named.sorted(by: { $0.key < $1.key }) {
      if let old = state.known[device], old.isSame(as: new) { continue }
      guard devices.child(device) != nil else {
        log("\(device) was not there when the run began; policies can name it after a new start")
        continue
      }
      guard manifestTexts[device] == new.manifestText else {
        log("\(device) has another manifest than when the run began; it needs a new start")
        continue
      }
      if state.known[device] != nil { state.steps.append(.remove(device)) }
      state.known[device] = new
      state.steps.append(.add(device, new.program))
    }
    let others = Self.others(site)
    if others != state.others {
      state.others = others
      log("\(devices.path): plugins that are part of the daemon change with a new start")
    }
  }

  private func work() async {
    while let step = state.withLock({ state -> Step? in
      if state.steps.isEmpty {
        state.isBusy = false
        return nil
      }
      return state.steps.removeFirst()
    }) {
      switch step {
      case .remove(let device):
        await devices.child(device)?.remove()
        log("\(device) was taken out; its process has ended")
      case .add(let device, let program):
        guard let child = devices.child(device) else { continue }
        await child.add(program)
        let failure = child.status.failure.map { ", and does not serve: \($0)" } ?? " and serves"
        log("\(device) was put back\(failure)")
      }
    }
  }
}
