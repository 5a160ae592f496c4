import StintFormats
import StintModel
import StintServices
import StintUnits

/// The requests of one attached client program: the numbers that it chose, and what it was told about each.
struct ClientSession: Sendable {
  private struct Running: Sendable {
    /// The last reported grant of each demand, by its target.
    var grants: [DeviceID: Grant] = [:]
    /// The number of events that were dropped since the last event, because the program read too slowly.
    var lost = 0
  }

  let client: ClientID
  private var running: [Int64: Running] = [:]

  init(_ client: ClientID) { self.client = client }

  /// The board's name of a request.
  func service(_ number: Int64) -> ServiceID { ServiceID(client, String(number)) }

  /// True while the request is accepted and has not ended.
  func isRunning(_ number: Int64) -> Bool { running[number] != nil }

  /// The number of running requests.
  var count: Int { running.count }

  mutating func accepted(_ number: Int64) { running[number] = Running() }
  mutating func ended(_ number: Int64) { running[number] = nil }

  /// Returns whether the program must be told this grant: its state, its device or its rules have changed.
  mutating func isNews(_ grant: Grant, of target: DeviceID, for number: Int64) -> Bool {
    guard let former = running[number] else { return false }
    running[number]?.grants[target] = grant
    guard let known = former.grants[target] else { return true }
    return known.status != grant.status || known.provider != grant.provider || known.rules != grant.rules
  }

  /// Counts a dropped event.
  mutating func lose(_ number: Int64) { running[number]?.lost += 1 }

  /// Returns the number of events dropped since the last call, and sets it to 0.
  mutating func takeLost(_ number: Int64) -> Int {
    guard let lost = running[number]?.lost, lost > 0 else { return 0 }
    running[number]?.lost = 0
    return lost
  }
}
