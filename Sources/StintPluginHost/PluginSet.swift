public import StintModel
public import StintPluginKit
public import StintUnits

/// The plugins of one bus, sorted by device. The set opens plugins in this order and closes them in reverse
/// order.
///
/// An error in one plugin does not stop any other plugin. The device of the failed plugin becomes
/// unavailable, with the reason, and the set sends it no further settings. A set may be used from any thread;
/// the caller orders the calls to each plugin.
public final class PluginSet: Sendable {
  /// The members, sorted by device as in a `Vocabulary` of the same manifests.
  public let members: [PluginMember]
  private let state = Locked(State())

  private struct State {
    var opened: Set<Int> = []
    var losses: [Int: String] = [:]
  }

  /// Checks the plugins and makes a port for each plugin.
  ///
  /// - Parameter onReady: called with a member's index when its port has events; see `DevicePort`.
  /// - Throws: all problems: two plugins for one device, invalid manifests, and plugins that do not match
  ///   their manifest's kind.
  public init(
    _ plugins: [any DevicePlugin], onReady: (@Sendable (Int) -> Void)? = nil
  ) throws(Problem) {
    let sorted = plugins.map { (plugin: $0, manifest: $0.manifest) }
      .sorted { $0.manifest.device < $1.manifest.device }
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
  public func place(of device: DeviceID) -> Int? { members.firstIndex { $0.device == device } }

  /// Returns the reason why the member at this index failed; nil when it has not failed.
  public func loss(_ place: Int) -> String? { state.withLock { $0.losses[place] } }

  /// Opens every plugin in order.
  ///
  /// - Parameter loop: the loop of the program, for plugins that watch descriptors; nil for none.
  public func open(at instant: Instant, on loop: (any PluginLoop)? = nil) async {
    for (place, member) in members.enumerated() {
      member.port.attach(loop)
      do {
        try await member.plugin.open(member.port, at: instant)
        state.withLock { _ = $0.opened.insert(place) }
      } catch {
        lose(place, error, at: instant)
      }
    }
  }

  /// Applies a setting to the member at this index. Does nothing for a failed member.
  public func apply(_ setting: Setting, to place: Int, at instant: Instant) async {
    guard loss(place) == nil else { return }
    do {
      try await members[place].plugin.apply(setting, at: instant)
    } catch {
      lose(place, error, at: instant)
    }
  }

  /// Closes every opened plugin in reverse order. A second call does nothing.
  public func close(at instant: Instant) async {
    for (place, member) in members.enumerated().reversed() {
      let wasOpen = state.withLock { $0.opened.remove(place) != nil }
      if wasOpen { await member.plugin.close(at: instant) }
    }
  }

  private func lose(_ place: Int, _ error: Problem, at instant: Instant) {
    state.withLock { $0.losses[place] = error.description }
    let member = members[place]
    member.port.setAlarm(at: nil)
    member.port.report(.fault(error.description), at: instant)
    if !member.manifest.states.isEmpty {
      member.port.report(.state(member.manifest.safe, period: nil), at: instant)
    }
    member.port.available(false, at: instant)
  }
}
