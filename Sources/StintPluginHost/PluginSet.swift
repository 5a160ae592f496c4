public import StintModel
public import StintPluginKit
public import StintUnits

/// The plugins of one bus, sorted by device. The set opens the plugins in this order, or all at the same
/// time. It closes the plugins in reverse order.
///
/// An error in one plugin does not stop any other plugin. The device of the failed plugin becomes
/// unavailable, with the reason, and the set sends it no further settings. A set may be used from any thread,
/// but the caller must make the calls for one plugin in order.
public final class PluginSet: Sendable {
  /// The members, sorted by device as in a `Vocabulary` of the same manifests.
  public let members: [PluginMember]
  private let state = Locked(State())

  private struct State {
    var opened: Set<Int> = []
    var failures: [Int: String] = [:]
    /// The plugins that are being opened concurrently, by index in `members`, with the last setting for each.
    var opening: [Int: Setting?] = [:]
    /// The sources among `opening` that must be read when they are open, by index in `members`.
    var unread: Set<Int> = []
    /// The plugins among `opening` whose devices were reported as unavailable, by index in `members`.
    var overdue: Set<Int> = []
    /// True after `close`: a plugin whose opening completes afterwards is closed at once.
    var isClosed = false
  }

  /// Checks the plugins and makes a port for each plugin.
  ///
  /// - Parameter onReady: called with a member's index when its port has events; see `DevicePort`.
  /// - Throws: all problems: two plugins for one device, invalid manifests, and plugins without a protocol
  ///   that their manifest requires.
  public convenience init(
    _ plugins: [any DevicePlugin], onReady: (@Sendable (Int) -> Void)? = nil
  ) throws(Problem) {
    try self.init(devices: plugins.map { ($0, $0.manifest) }, onReady: onReady)
  }

  /// Checks the plugins and makes a port for each plugin, as `init(_:onReady:)` does.
  ///
  /// - Parameter devices: the plugins, each with its manifest in the site.
  package init(
    devices: [(plugin: any DevicePlugin, manifest: Manifest)], onReady: (@Sendable (Int) -> Void)? = nil
  ) throws(Problem) {
    let sorted = devices.sorted { $0.manifest.device < $1.manifest.device }
    var problems: [Problem] = []
    for (place, entry) in sorted.enumerated() {
      let device = entry.manifest.device
      if place > 0, sorted[place - 1].manifest.device == device {
        problems.append(Problem(.duplicate, place: device.path, cause: "two plugins serve this device"))
      }
      for fault in entry.manifest.faults() {
        problems.append(
          Problem(.manifest, place: Problem.Place(device.path, part: fault.path), cause: fault.sentence))
      }
    }
    var members: [PluginMember] = []
    for (place, entry) in sorted.enumerated() {
      var ready: (@Sendable () -> Void)?
      if let onReady { ready = { onReady(place) } }
      members.append(PluginMember(entry.plugin, manifest: entry.manifest, onReady: ready))
    }
    for member in members {
      guard let rejectionReason = member.rejectionReason else { continue }
      problems.append(
        Problem(.kind, place: Problem.Place(member.device.path, part: "kind"), cause: rejectionReason))
    }
    guard problems.isEmpty else { throw Problem(all: problems) }
    self.members = members
  }

  /// All manifests, sorted by device.
  public var manifests: [Manifest] { members.map(\.manifest) }

  /// True when a plugin is a carrier of transfers.
  public var hasCarrier: Bool { members.contains { $0.carrier != nil } }

  /// Returns the index of a device's member; nil when the set does not have the device.
  public func index(of device: DeviceID) -> Int? { members.firstIndex { $0.device == device } }

  /// Returns the reason why the member at this index failed; nil when it has not failed.
  public func failure(_ place: Int) -> String? { state.withLock { $0.failures[place] } }

  /// Returns why the member at this index does not serve its device. Nil when it works, and when it has
  /// reported without a reason that the device is gone.
  public func interruption(_ place: Int, at instant: Instant) -> String? {
    if let failure = failure(place) { return failure }
    if let supervised = members[place].plugin as? any SupervisedPlugin {
      return supervised.status.interruption(at: instant)
        ?? (supervised.isAbsent ? "the plugin reports that the device is gone" : nil)
    }
    return isOpening(place) ? "the plugin is starting" : nil
  }

  /// Opens every plugin in order.
  ///
  /// - Parameter loop: the loop of the program, for plugins that watch descriptors; nil for a program without
  ///   a loop.
  public func open(at instant: Instant, on loop: (any PluginLoop)? = nil) async {
    attachSupervised()
    for place in members.indices { await openMember(place, on: loop, at: instant) { instant } }
  }

  private func attachSupervised() {
    for member in members { (member.plugin as? any SupervisedPlugin)?.attach(member.port) }
  }

  /// Marks all plugins as being opened. The caller must then call `finishOpening` for each plugin, each in a
  /// separate task, so that the plugins open at the same time.
  public func beginOpening() {
    attachSupervised()
    state.withLock { state in
      for place in members.indices { state.opening[place] = .some(nil) }
    }
  }

  /// Opens the member at this index, and applies the setting that the device has received meanwhile.
  ///
  /// - Parameter now: returns the current instant. Called after the plugin has been opened or has failed.
  public func finishOpening(
    _ place: Int, on loop: (any PluginLoop)? = nil, at instant: Instant, now: @Sendable () -> Instant
  ) async {
    await openMember(place, on: loop, at: instant, now: now)
    let (setting, isLate, mustClose, mustRead) = state.withLock { state in
      let setting = state.opening.removeValue(forKey: place) ?? nil
      let mustClose = state.isClosed && state.opened.remove(place) != nil
      return (setting, state.overdue.remove(place) != nil, mustClose, state.unread.remove(place) != nil)
    }
    if mustClose { return await members[place].plugin.close(at: now()) }
    let supervised = members[place].plugin as? any SupervisedPlugin
    let isMissing = supervised.map { $0.status.failure != nil || $0.isAbsent } ?? false
    guard failure(place) == nil else { return }
    if isLate, !isMissing { members[place].port.available(true, at: now()) }
    if let setting { await apply(setting, to: place, at: now()) }
    if mustRead { await read(place, at: now()) }
  }

  /// For each plugin that is still being opened concurrently, reports that its device is unavailable. The
  /// device becomes available when the plugin is open.
  public func reportUnopened(at instant: Instant) {
    let late = state.withLock { state in
      state.overdue = Set(state.opening.keys)
      return state.overdue
    }
    for place in late.sorted() { members[place].port.available(false, at: instant) }
  }

  /// True while members are being opened concurrently.
  public var isOpening: Bool { state.withLock { !$0.opening.isEmpty } }

  /// Returns whether the member at this index is among the members that are being opened concurrently.
  public func isOpening(_ place: Int) -> Bool { state.withLock { $0.opening[place] != nil } }

  private func openMember(
    _ place: Int, on loop: (any PluginLoop)?, at instant: Instant, now: @Sendable () -> Instant
  ) async {
    let member = members[place]
    member.port.attach(loop)
    do {
      try await member.plugin.open(member.port, at: instant)
      state.withLock { _ = $0.opened.insert(place) }
    } catch {
      fail(place, error, at: now())
    }
  }

  /// Applies a setting to the member at this index. Does nothing for a failed member. A member that is being
  /// opened receives its last setting when it is open.
  public func apply(_ setting: Setting, to place: Int, at instant: Instant) async {
    let mustWait = state.withLock { state in
      guard state.opening[place] != nil else { return false }
      state.opening[place] = .some(setting)
      return true
    }
    guard !mustWait, failure(place) == nil else { return }
    do {
      try await members[place].plugin.apply(setting, at: instant)
    } catch {
      fail(place, error, at: instant)
    }
  }

  /// Reads the source at this index. Does nothing for a failed member and for a device that is not a source.
  /// A member that is being opened is read when it is open.
  public func read(_ place: Int, at instant: Instant) async {
    let mustWait = state.withLock { state in
      guard state.opening[place] != nil else { return false }
      state.unread.insert(place)
      return true
    }
    guard !mustWait, failure(place) == nil else { return }
    await members[place].source?.read(at: instant)
  }

  /// Closes the opened plugins, and the supervised plugins that are still being opened, in reverse order. A
  /// second call has no effect.
  public func close(at instant: Instant) async {
    state.withLock { $0.isClosed = true }
    for (place, member) in members.enumerated().reversed() {
      let (wasOpen, isOpening) = state.withLock {
        ($0.opened.remove(place) != nil, $0.opening[place] != nil)
      }
      let canEnd = isOpening && member.plugin is any SupervisedPlugin
      if wasOpen || canEnd { await member.plugin.close(at: instant) }
    }
  }

  private func fail(_ place: Int, _ error: Problem, at instant: Instant) {
    state.withLock { $0.failures[place] = error.description }
    let member = members[place]
    member.port.setAlarm(at: nil)
    member.port.report(.fault(error.description), at: instant)
    if !member.manifest.states.isEmpty {
      member.port.report(.state(member.manifest.safe, period: nil), at: instant)
    }
    member.port.available(false, at: instant)
  }
}
