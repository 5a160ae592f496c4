import StintModel
import StintUnits

/// The requests that clients of a file make once and for all. A request that cannot begin, or that ends
/// because its permission or its device is missing, waits and begins when both are there.
struct DeclaredRequests: Sendable {
  private struct Entry {
    let id: ServiceID
    let request: any ServiceRequest
    /// True while the request waits.
    var isWaiting = false
    /// The next attempt of a request that a fault of its device has ended.
    var retryAt = Instant.distantFuture
  }

  /// The time after a fault of a device until the request begins again.
  private static let retryDelay = TimeSpan.minutes(1)

  /// In the order in which the requests were made.
  private var entries: [Entry] = []

  /// Adds a request; it replaces the former request with this name.
  mutating func add(_ id: ServiceID, _ request: any ServiceRequest) {
    remove(id)
    entries.append(Entry(id: id, request: request))
  }

  /// Removes a request that its client has ended.
  mutating func remove(_ id: ServiceID) { entries.removeAll { $0.id == id } }

  /// Removes the requests of a client that has left.
  mutating func remove(of client: ClientID) { entries.removeAll { $0.id.client == client } }

  /// Records that a request was refused or has failed. It waits when its cause can pass by itself.
  mutating func failed(_ id: ServiceID, _ failure: ServiceFailure, at now: Instant) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    switch failure.code {
    case .denied, .undecided, .unavailable: entries[place].isWaiting = true
    // A request for one fix is complete: its answer was this failure.
    case .failed where !(entries[place].request is FixRequest):
      entries[place].retryAt = now + Self.retryDelay
    default: break
    }
  }

  /// Records that a request is attempted again, or that it runs.
  mutating func attempts(_ id: ServiceID, isPossible: Bool) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[place].retryAt = .distantFuture
    entries[place].isWaiting = !isPossible
  }

  /// The next instant at which `waiting(at:)` contains a request again.
  var nextTimer: Instant { entries.lazy.map(\.retryAt).min() ?? .distantFuture }

  /// Returns the requests to attempt now, in the order in which they were made.
  func waiting(at now: Instant) -> [(id: ServiceID, request: any ServiceRequest)] {
    entries.filter { $0.isWaiting || $0.retryAt <= now }.map { ($0.id, $0.request) }
  }
}
