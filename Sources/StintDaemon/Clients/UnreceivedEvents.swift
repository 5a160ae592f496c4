import StintModel
import StintRuntime

/// Counts the events that client programs did not receive. The programs read too slowly, or ended before the
/// daemon could send the events.
///
/// Events that the system had accepted for a program count as received.
final class UnreceivedEvents: Sendable {
  private let number = Locked(0)
  private let log: RunLog

  /// - Parameter log: receives a line when a program leaves before it received all events.
  init(_ log: RunLog) { self.log = log }

  /// The number of events since the start of the daemon.
  var count: Int { number.withLock { $0 } }

  /// Counts an event that was dropped because its program read too slowly.
  func addDropped() { number.withLock { $0 += 1 } }

  /// Counts and logs the events that were queued for a program when its connection was closed.
  func add(_ lost: Int, of client: ClientID) {
    guard lost > 0 else { return }
    number.withLock { $0 += lost }
    log(
      "“\(client)” left before it received \(lost == 1 ? "1 event" : "\(lost) events")", about: .left(client))
  }
}
