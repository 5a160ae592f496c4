import StintModel
import StintUnits

/// The demands that a device no longer serves, but for which the device still has stored samples to deliver.
///
/// A drain requests these samples from the plugin. A plugin in a process or library answers asynchronously.
/// Until the answer, the batches of the device also reach these demands. If the plugin does not answer, the
/// supervision of the plugin ends the plugin, so each drain ends.
struct DrainTable {
  /// A demand that its device no longer serves.
  struct Leaving {
    var mailbox: Mailbox
    /// True when the demand has ended. Its channel then ends together with the drain.
    var isEnded: Bool
  }

  private var leaving: [Int: [Leaving]] = [:]
  /// For each device, the instant at which it last stopped serving a demand.
  private var ends: [Int: Instant] = [:]

  /// Records that a device stopped serving a demand.
  mutating func noteEnd(of device: Int, at instant: Instant) { ends[device] = instant }

  /// Returns the instant at which a device last stopped serving a demand; nil when this has not happened yet.
  func lastEnd(of device: Int) -> Instant? { ends[device] }

  /// Begins a drain of a device whose plugin answers asynchronously.
  mutating func begin(_ device: Int) { if leaving[device] == nil { leaving[device] = [] } }

  /// Returns whether a device has a drain in progress.
  func isOpen(_ device: Int) -> Bool { leaving[device] != nil }

  /// Returns the receivers that get the next batches of a device although the device no longer serves
  /// their demands.
  func receivers(of device: Int) -> [Receiver] { leaving[device]?.map(\.mailbox.receiver) ?? [] }

  /// Keeps the subscription of a demand until the drain ends, although the device no longer serves
  /// the demand.
  mutating func keep(_ mailbox: Mailbox, of device: Int, isEnded: Bool) {
    leaving[device]?.append(Leaving(mailbox: mailbox, isEnded: isEnded))
  }

  /// Removes and returns the mailbox of a demand that the device serves again. Returns nil when the device
  /// drains no demand with this id, or when this demand has ended.
  mutating func resume(_ demand: DemandID, on device: Int) -> Mailbox? {
    guard let index = leaving[device]?.firstIndex(where: { $0.mailbox.demand.id == demand && !$0.isEnded })
    else { return nil }
    return leaving[device]?.remove(at: index).mailbox
  }

  /// Records the end of a demand that its device no longer serves. Returns false when no drain delivers
  /// samples to the demand.
  mutating func markEnded(_ demand: DemandID) -> Bool {
    for device in leaving.keys.sorted() {
      guard let index = leaving[device]?.firstIndex(where: { $0.mailbox.demand.id == demand }) else {
        continue
      }
      leaving[device]?[index].isEnded = true
      return true
    }
    return false
  }

  /// Ends the drain of a device. Returns the demands that leave the device now.
  mutating func end(_ device: Int) -> [Leaving] { leaving.removeValue(forKey: device) ?? [] }
}
