import StintFormats
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// Follows the site file of a run. When a plugin is removed from the file, the follower ends the plugin's
/// process. When the plugin is added again, the follower starts a new process. When the entry or the program
/// of a plugin has changed, the follower starts the changed program in a new process. Other plugins are
/// unaffected.
///
/// The names and manifests of devices are fixed at the start of the run, together with the policies. So a new
/// device, a new name of a device or a changed manifest takes effect only after a restart of the daemon. A
/// change of a plugin that is linked in or loaded as a library also needs a restart, as does a change outside
/// of `plugins`. The log and `status` name these changes.
final class SiteFollower: Sendable {
  private struct State {
    /// The entry with which each process was started, by the first device of the process.
    var known: [DeviceID: SiteDevices.ChildEntry]
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
    /// Ends the process and starts a changed program.
    case replace(DeviceID, ChildProgram)
  }

  private let devices: SiteDevices
  private let manifestTexts: [DeviceID: String]
  private let loop: LoopExecutor
  private let files: FileWorker
  private let waiting: WaitingChanges
  private let log: RunLog
  private let state: Locked<State>

  /// - Parameters:
  ///   - files: reads the site file on other threads.
  ///   - waiting: receives the changes that take effect only after a restart.
  init(
    _ devices: SiteDevices, on loop: LoopExecutor, files: FileWorker, waiting: WaitingChanges,
    log: RunLog
  ) {
    self.devices = devices
    self.loop = loop
    self.files = files
    self.waiting = waiting
    self.log = log
    manifestTexts = Dictionary(
      zip(devices.manifests.map(\.device), devices.manifestTexts),
      uniquingKeysWith: { first, _ in first })
    state = Locked(State(known: devices.children))
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

  /// Returns whether the file must be read again; otherwise ends the reading.
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
      if files.set(nil, for: devices.path) { log("\(devices.path) is valid again") }
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
      log.problem("\(error)\n\(devices.path) is ignored; the plugins are unchanged")
      files.set("\(error); the file is ignored, and the plugins are unchanged", for: devices.path)
    }
  }

  /// Adds the steps for the plugins that changed since the last reading.
  private func compare(_ entries: [DeviceID: SiteDevices.ChildEntry], _ site: Site, _ state: inout State) {
    var changes = Self.changedKeys(from: devices.site, to: site).map { "the new value of “\($0)”" }
    var entries = entries
    for (device, old) in state.known.sorted(by: { $0.key < $1.key }) where entries[device] == nil {
      // The names of devices cannot change during a run. When only the names of an entry have changed, its
      // process continues with the old names. An entry with the name of a known process describes that
      // process, so it is not a renamed entry.
      let new = entries.sorted { $0.key < $1.key }
        .first { state.known[$0.key] == nil && old.differsInNamesOnly(from: $0.value) }?.value
      if let new {
        entries[new.program.manifest.device] = nil
        changes += Self.renamings(from: old, to: new)
        continue
      }
      state.known[device] = nil
      state.steps.append(.remove(device))
    }
    for (device, new) in entries.sorted(by: { $0.key < $1.key }) {
      if let old = state.known[device], old.devices != new.devices, old.differsInNamesOnly(from: new) {
        changes += Self.renamings(from: old, to: new)
        continue
      }
      let (unknown, changed) = differences(new)
      changes += unknown.map { "the new device \($0)" } + changed.map { "the changed manifest of \($0)" }
      guard unknown.isEmpty, changed.isEmpty else { continue }
      guard devices.child(device)?.program.devices.map(\.manifest.device) == new.devices else {
        changes.append("the changed process of \(device)")
        continue
      }
      let old = state.known.updateValue(new, forKey: device)
      // Reading the file again, for example after SIGHUP, starts a quarantined plugin again.
      if let old, old.isSame(as: new), !(devices.child(device)?.isQuarantined ?? false) { continue }
      state.steps.append(old == nil ? .add(device, new.program) : .replace(device, new.program))
    }
    if SiteDevices.others(site) != SiteDevices.others(devices.site) {
      changes.append("the change of plugins that are part of the daemon")
    }
    for change in waiting.replace(changes) { log("\(devices.path): \(change) takes effect after a restart") }
  }

  /// Returns the new names of devices, as changes that need a restart.
  private static func renamings(
    from old: SiteDevices.ChildEntry, to new: SiteDevices.ChildEntry
  ) -> [String] {
    zip(old.devices, new.devices).filter { $0 != $1 }.map { "the new name \($1) of \($0)" }
  }

  /// Returns the devices of an entry that are unknown to the run, and the devices whose manifests have
  /// changed.
  private func differences(_ entry: SiteDevices.ChildEntry) -> (unknown: [DeviceID], changed: [DeviceID]) {
    var (unknown, changed): ([DeviceID], [DeviceID]) = ([], [])
    for (device, text) in zip(entry.devices, entry.manifestTexts) {
      if devices.child(device) == nil {
        unknown.append(device)
      } else if manifestTexts[device] != text {
        changed.append(device)
      }
    }
    return (unknown, changed)
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
        let names = names(device)
        await devices.child(device)?.remove()
        log("\(names) removed; its process has ended")
      case .add(let device, let program):
        log("\(names(device)) added again\(await start(device, program))")
      case .replace(let device, let program):
        await devices.child(device)?.remove()
        log("\(names(device)) started again\(await start(device, program))")
      }
    }
  }

  /// Returns the devices of a process as the beginning of a sentence: `motion.gyro, with motion.fused, was`.
  private func names(_ device: DeviceID) -> String {
    let others = devices.child(device)?.program.devices.map(\.manifest.device.path).dropFirst() ?? []
    return "\(device)\(others.isEmpty ? "" : ", with \(others.joined(separator: " and ")),") was"
  }

  /// Starts the program of a device. Returns the result as the end of a sentence.
  private func start(_ device: DeviceID, _ program: ChildProgram) async -> String {
    guard let child = devices.child(device) else { return "" }
    await child.add(program)
    return child.status.failure.map { ", but does not run: \($0)" } ?? " and runs"
  }
}
