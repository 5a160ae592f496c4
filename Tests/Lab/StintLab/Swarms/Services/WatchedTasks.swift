import StintServices

/// Checks the notices about the tasks of one session. Each task gets an acceptance, any number of replies,
/// and then exactly one end.
struct WatchedTasks: Sendable {
  private var accepted: Set<String> = []
  private var over: Set<String> = []

  /// The number of accepted tasks that have not ended.
  var open: Int { accepted.count - over.count }

  /// Checks a notice. Returns the violation, or nil.
  mutating func take(_ notice: TransferNotice) -> String? {
    switch notice {
    case .accepted(let task):
      accepted.insert(task)
      return nil
    case .reply(let task, _), .waiting(let task, _), .credentialsNeeded(let task):
      if !accepted.contains(task) { return "reports “\(task)”, which was not accepted" }
      return over.contains(task) ? "reports “\(task)” after its end" : nil
    case .finished(let task, _), .failed(let task, _):
      if !accepted.contains(task) { return "ends “\(task)”, which was not accepted" }
      return over.insert(task).inserted ? nil : "ends “\(task)” twice"
    case .refused, .drained, .warning: return nil
    }
  }
}
