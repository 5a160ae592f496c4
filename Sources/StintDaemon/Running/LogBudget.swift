import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// A limit for the log lines that are caused by devices and clients: 500 at once, then 20 a second.
///
/// Decisions, and messages about the run itself, have no limit: a flood of refusals must not displace them.
final class LogBudget: Sendable {
  private static let perSecond = 20.0
  private static let most = 500.0

  private struct State {
    var budget: RateBudget
    var dropped = 0
    /// The number of dropped lines that are not yet reported in the log.
    var unreported = 0
  }

  private let state: Locked<State>

  /// - Parameter now: the time of the monotonic clock, as an instant.
  init(at now: Instant) {
    state = Locked(State(budget: RateBudget(perSecond: Self.perSecond, most: Self.most, at: now)))
  }

  /// The number of dropped lines since the start.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Counts a line that another budget dropped.
  func countDropped() { state.withLock { $0.dropped = $0.dropped.addingSaturated(1) } }

  /// Charges one line.
  ///
  /// - Returns: nil when the line must be dropped; otherwise the number of lines that were dropped directly
  ///   before it.
  func spend(at now: Instant) -> Int? {
    state.withLock { state in
      guard state.budget.spend(1, at: now) else {
        state.dropped = state.dropped.addingSaturated(1)
        state.unreported = state.unreported.addingSaturated(1)
        return nil
      }
      defer { state.unreported = 0 }
      return state.unreported
    }
  }

  /// The present time of the monotonic clock, as an instant.
  static var now: Instant { Instant(nanoseconds: SystemClock.monotonic().nanoseconds) }

  /// Passes events to `report`, except for the refusals and client messages beyond the limit.
  func limiting(
    _ report: @escaping @Sendable (DaemonEvent) -> Void
  ) -> @Sendable (DaemonEvent) -> Void {
    { [self] event in
      guard event.level == .refusal || event.isFromClient else { return report(event) }
      guard let dropped = spend(at: Self.now) else { return }
      if dropped > 0 {
        report(.notice(dropped == 1 ? "1 line was dropped" : "\(dropped) lines were dropped"))
      }
      report(event)
    }
  }
}
