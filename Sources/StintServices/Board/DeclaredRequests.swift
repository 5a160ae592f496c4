import StintModel

/// The requests that clients of a file make once and for all. A request that cannot begin, or that ends
/// because its permission or its device is missing, waits and begins when both are there.
struct DeclaredRequests: Sendable {
  private struct Entry {
    let id: ServiceID
    let request: any ServiceRequest
    /// True while the request waits.
    var isWaiting = false
  }

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
  mutating func failed(_ id: ServiceID, _ failure: ServiceFailure) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    switch failure.code {
    case .denied, .undecided, .unavailable: entries[place].isWaiting = true
    default: break
    }
  }

  /// Records that a request runs.
  mutating func began(_ id: ServiceID) {
    if let place = entries.firstIndex(where: { $0.id == id }) { entries[place].isWaiting = false }
  }

  /// The requests that wait, in the order in which they were made.
  var waiting: [(id: ServiceID, request: any ServiceRequest)] {
    entries.filter(\.isWaiting).map { ($0.id, $0.request) }
  }
}
