import StintModel
import StintUnits

/// The client programs that wait for an outlook. One outlook at a time is calculated, so that programs cannot
/// occupy more than one thread of the daemon.
struct OutlookQueue: Sendable {
  private var waiting: [ClientID: DeviceID] = [:]
  /// The program whose outlook is calculated now.
  private var current: ClientID?
  /// The program whose outlook was calculated last.
  private var last: ClientID?

  /// Adds a program with its device.
  ///
  /// - Throws: `tooMany` when the program waits already.
  mutating func add(_ client: ClientID, _ device: DeviceID) throws(Problem) {
    guard waiting[client] == nil, current != client else {
      throw Problem(.tooMany, cause: "the previous outlook is not ready", remedy: "wait for its answer")
    }
    waiting[client] = device
  }

  /// Removes a program that has left.
  mutating func remove(_ client: ClientID) { waiting[client] = nil }

  /// Starts the calculation for the next program; nil when none waits or another calculation runs. The
  /// programs have equal turns, in the order of their names.
  mutating func begin() -> (client: ClientID, device: DeviceID)? {
    guard current == nil else { return nil }
    let clients = waiting.keys.sorted()
    let next = clients.first { client in last.map { client > $0 } ?? true } ?? clients.first
    guard let next, let device = waiting.removeValue(forKey: next) else { return nil }
    (current, last) = (next, next)
    return (next, device)
  }

  /// Ends the calculation.
  mutating func finish() { current = nil }
}
