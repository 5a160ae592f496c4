import StintLanguage
import StintRuntime
import StintUnits

/// The outcomes of edits that do not come into force.
extension PolicyStore {
  /// Returns the outcome of an edit that did not change the policies; nil when there is nothing to report.
  /// Call this function before the refusal of the edit is recorded.
  func outcome(of result: PreparedEdit.Result, at instant: Instant) -> Outcome? {
    let time = LocalMoment(instant, wallClock.rules)
    switch result {
    case .accepted: return nil
    case .unchanged:
      return hasUnreadFiles
        ? Outcome(isDone: true, text: "\(time) the policy files can be read again, and are unchanged") : nil
    case .unread(let text):
      return Outcome(
        isDone: false,
        text: "\(text)\n\(time) nothing was loaded; the current policies stay in force")
    case .empty:
      return Outcome(
        isDone: false, text: "\(time) the new set of policies is empty; the current policies stay in force")
    case .refused(let text, let ending, let cause):
      return Outcome(
        isDone: false, text: ending.isEmpty ? text : "\(text)\n\(time) \(ending)", cause: cause)
    }
  }

  func refusal(_ error: StintUnits.Problem, at instant: Instant) -> Outcome {
    let time = LocalMoment(instant, wallClock.rules)
    return Outcome(
      isDone: false, text: "\(time) \(error)\n\(time) nothing was loaded; the current policies stay in force",
      cause: error)
  }
}
