import StintFormats
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// Follows the site file of a run. When a plugin is removed from the file, the follower ends the plugin's
/// process. When the plugin is put back, the follower starts a new process. Other plugins are not affected.
///
/// The names and manifests of devices are fixed at the start of the run, together with the policies. So a new
/// device or a changed manifest takes effect only after a restart of the daemon. The same is true for a
/// plugin that is linked in or loaded as a library, and for everything else in the file. The log names the
/// changed keys.
final class SiteFollower: Sendable {
  private struct State {
    /// The entry with which each process was started, by device.
    var known: [DeviceID: SiteDevices.ChildEntry]
    /// The plugins without a separate process, as in the file.
    var others: [Site.Plugin]
    /// The site as it was last read.
    var site: Site
    /// Steps that are not done yet, in order.
    var steps: [Step] = []
    var isBusy = false
    var isReading = false
    /// True when the file may have changed since the current reading began.
    var mustReadAgain = false
  }

  private enum Step: Sendable {
    case remove(DeviceID)
    case add(DeviceID, ChildProgram)
  }

  private let devices: SiteDevices
  private let manifestTexts: [DeviceID: String]
  private let loop: LoopExecutor
  private let files: FileWorker
  private let log: @Sendable (String) -> Void
  private let state: Locked<State>

  /// - Parameter files: reads the site file on other threads.
  init(
    _ devices: SiteDevices, on loop: LoopExecutor, files: FileWorker,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.devices = devices
    self.loop = loop
    self.files = files
    self.log = log
    manifestTexts = Dictionary(
      zip(devices.plugins.map(\.manifest.device), devices.manifestTexts),
      uniquingKeysWith: { first, _ in first })
    state = Locked(
      State(known: devices.children, others: Self.others(devices.site), site: devices.site))
  }

  private static func others(_ site: Site) -> [Site.Plugin] {
    site.plugins.filter { $0.descriptor == nil || $0.isLibrary }
  }

  /// Reads the site file again after a possible change, and starts the necessary steps, one device at a time.
  /// Returns before the file is read. An invalid site file has no effect.
  func follow() {
    let begins = state.withLock { state in
      state.mustReadAgain = true
      defer { state.isReading = true }
      return !state.isReading
    }
    guard begins else { return }
    Spawner.start(on: loop) { [self] in
      while mustRead() { await read() }
    }
  }

  /// Returns whether to read the file; ends the reading when it has not changed since.
  private func mustRead() -> Bool {
    state.withLock { state in
      defer { state.mustReadAgain = false }
      state.isReading = state.mustReadAgain
      return state.isReading
    }
  }

  private func read() async {
    do throws(Problem) {
      let result = try await files.run(
        "reading the site file", devices.path, whenLate: { [weak self] in self?.follow() },
        { [devices] in Result { try devices.readSite() } })
      apply(result)
    } catch {
      // The worker has logged the problem, and calls `follow` when the file has answered.
    }
  }

  private func apply(
    _ result: Result<(site: Site, children: [DeviceID: SiteDevices.ChildEntry]), any Error>
  ) {
    do {
      let (site, entries) = try result.get()
      files.set(nil, for: devices.path)
      let begins = state.withLock { state in
        let isIdle = state.steps.isEmpty && !state.isBusy
        compare(entries, site, &state)
        guard isIdle, !state.steps.isEmpty else { return false }
        state.isBusy = true
        return true
      }
      guard begins else { return }
      Spawner.start(on: loop) { [self] in await runSteps() }
    } catch {
      log("\(error)\n\(devices.path) is ignored; the plugins are unchanged")
      files.set("\(error); the file is ignored, and the plugins are unchanged", for: devices.path)
    }
  }

  private func compare(_ entries: [DeviceID: SiteDevices.ChildEntry], _ site: Site, _ state: inout State) {
    for device in state.known.keys.sorted() where entries[device] == nil {
      state.known[device] = nil
      state.steps.append(.remove(device))
    }
    for (device, new) in entries.sorted(by: { $0.key < $1.key }) {
      if let old = state.known[device], old.isSame(as: new) { continue }
      guard devices.child(device) != nil else {
        log("\(device) was missing when the run began; policies can use it after a restart")
        continue
      }
      guard manifestTexts[device] == new.manifestText else {
        log("\(device) has another manifest than when the run began; restart to use it")
        continue
      }
      if state.known[device] != nil { state.steps.append(.remove(device)) }
      state.known[device] = new
      state.steps.append(.add(device, new.program))
    }
    let others = Self.others(site)
    if others != state.others {
      state.others = others
      log("\(devices.path): plugins that are part of the daemon change only after a restart")
    }
    let keys = Self.changedKeys(from: state.site, to: site)
    state.site = site
    if !keys.isEmpty {
      log("\(devices.path): changes of \(keys.joined(separator: ", ")) take effect after a restart")
    }
  }

  /// Returns the keys besides `plugins` whose values differ.
  private static func changedKeys(from old: Site, to new: Site) -> [String] {
    var keys: [String] = []
    if old.title != new.title { keys.append("title") }
    if old.timeZone != new.timeZone { keys.append("time_zone") }
    if old.clients != new.clients { keys.append("clients") }
    if old.apps != new.apps { keys.append("apps") }
    if old.declares != new.declares { keys.append("declares") }
    if old.facts != new.facts { keys.append("facts") }
    return keys
  }

  private func runSteps() async {
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
        log("\(device) was removed; its process has ended")
      case .add(let device, let program):
        guard let child = devices.child(device) else { continue }
        await child.add(program)
        let failure = child.status.failure.map { ", but does not run: \($0)" } ?? " and runs"
        log("\(device) was put back\(failure)")
      }
    }
  }
}
