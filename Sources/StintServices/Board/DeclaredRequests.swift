import StintModel
import StintUnits

/// The requests that a scenario or site file makes for its clients. The file makes each request once, and the
/// board repeats the request when necessary.
///
/// A request waits when it cannot begin, or when it ends because its permission or its device is missing. It
/// waits until the permission is granted and the device is available. After a fault of its device, a request
/// begins again one minute later, unless it is a request for one fix.
struct DeclaredRequests: Sendable {
  private struct Entry {
    let id: ServiceID
    let request: any ServiceRequest
    /// The reason why the request waits; nil while the request runs, and when it is complete.
    var reason: ServiceFailure?
    /// The instant of the next attempt after a fault of the device; otherwise the distant future.
    var retryAt = Instant.distantFuture
  }

  /// The time after a fault of a device until the request begins again.
  private static let retryDelay = TimeSpan.minutes(1)

  /// The requests, in the order in which they were made.
  private var entries: [Entry] = []

  /// Adds a request, in place of an earlier request with this name.
  mutating func add(_ id: ServiceID, _ request: any ServiceRequest) {
    remove(id)
    entries.append(Entry(id: id, request: request))
  }

  /// Removes a request that its client has ended.
  mutating func remove(_ id: ServiceID) { entries.removeAll { $0.id == id } }

  /// Removes the requests of a client that has detached or was removed.
  mutating func remove(of client: ClientID) { entries.removeAll { $0.id.client == client } }

  /// Records that a request was refused or has failed. The request waits if the cause may disappear later,
  /// for example when a device becomes available.
  mutating func failed(_ id: ServiceID, _ failure: ServiceFailure, at now: Instant) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    switch failure.code {
    case .denied, .undecided, .unavailable: break
    // A request for one fix is complete: its answer was this failure.
    case .failed where !(entries[place].request is FixRequest):
      entries[place].retryAt = now + Self.retryDelay
    default: return
    }
    entries[place].reason = failure
  }

  /// Records an attempt to begin a request. The request now runs if `reason` is nil; otherwise it waits
  /// because of `reason`.
  mutating func attempted(_ id: ServiceID, _ reason: ServiceFailure?) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[place].retryAt = .distantFuture
    entries[place].reason = reason
  }

  /// The requests that wait, with their reasons, in the order in which they were made.
  var waiting: [(id: ServiceID, reason: ServiceFailure)] {
    entries.compactMap { entry in entry.reason.map { (entry.id, $0) } }
  }

  /// The next instant at which a request must be attempted again. The distant future when no request waits
  /// after a fault.
  var nextTimer: Instant { entries.lazy.map(\.retryAt).min() ?? .distantFuture }

  /// Returns the requests to attempt now, in the order in which they were made.
  func due(at now: Instant) -> [(id: ServiceID, request: any ServiceRequest)] {
    entries.filter { $0.reason != nil && ($0.retryAt <= now || $0.retryAt == .distantFuture) }
      .map { ($0.id, $0.request) }
  }
}
