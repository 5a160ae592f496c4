import StintModel

/// The demands that a device no longer serves, but whose held samples it has not delivered yet.
///
/// A plugin in a process or library answers a drain later. Until the answer, its batches still reach the
/// demands for which it held them. The plugin's supervision ends a process that does not answer, so each
/// drain ends.
struct DrainTable {
  /// A demand that its device no longer serves.
  struct Leaving {
    var mailbox: Mailbox
    /// True when the demand has ended; its channel ends with the drain.
    var isEnded: Bool
  }

  private var leaving: [Int: [Leaving]] = [:]

  /// Begins a drain of a device whose plugin answers later.
  mutating func begin(_ device: Int) { if leaving[device] == nil { leaving[device] = [] } }

  /// Returns whether a device has a drain in progress.
  func isOpen(_ device: Int) -> Bool { leaving[device] != nil }

  /// The mailboxes that receive the next batches of a device although it does not serve their demands.
  func mailboxes(of device: Int) -> [Mailbox] { leaving[device]?.map(\.mailbox) ?? [] }

  /// Keeps the subscription of a demand that leaves a device until the drain ends.
  mutating func keep(_ mailbox: Mailbox, of device: Int, isEnded: Bool) {
    leaving[device]?.append(Leaving(mailbox: mailbox, isEnded: isEnded))
  }

  /// Removes the subscription of a demand that the device serves again; nil when there is none.
  mutating func resume(_ demand: DemandID, on device: Int) -> Mailbox? {
    guard let index = leaving[device]?.firstIndex(where: { $0.mailbox.demand.id == demand && !$0.isEnded })
    else { return nil }
    return leaving[device]?.remove(at: index).mailbox
  }

  /// Marks a demand as ended that its device no longer serves. Returns false when no drain delivers
  /// samples to it.
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

  /// Ends the drain of a device. Returns the demands that leave it now.
  mutating func end(_ device: Int) -> [Leaving] { leaving.removeValue(forKey: device) ?? [] }
}
