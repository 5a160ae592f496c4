import StintModel
import StintUnits

/// The open tasks of a session in the order of creation, and the names of ended tasks.
struct TransferTasks: Hashable, Sendable {
  private var open: [TransferTask] = []
  /// The names of ended tasks. A command that creates a task with such a name has no effect. The oldest names
  /// are dropped.
  private var endedNames: [String] = []

  /// The largest number of remembered names of ended tasks.
  private static let maxEndedNames = 10_000
  /// The largest number of open tasks; further tasks are rejected.
  static let maxOpenTasks = 10_000

  /// Whether a decoded value is valid.
  var isValid: Bool { open.allSatisfy(\.isValid) }

  var isEmpty: Bool { open.isEmpty }
  /// True when a task has ended.
  var hasEnded: Bool { !endedNames.isEmpty }
  var all: [TransferTask] { open }
  var indices: Range<Int> { open.indices }

  subscript(index: Int) -> TransferTask {
    get { open[index] }
    set { open[index] = newValue }
    _modify { yield &open[index] }
  }

  /// Returns the index of an open task; nil when there is no open task of this name.
  func index(of name: String) -> Int? { open.firstIndex { $0.name == name && !$0.isOver } }

  /// Returns the index of the open task that has this demand; nil when no open task has this demand.
  func index(of demand: DemandID) -> Int? { open.firstIndex { $0.demand == demand && !$0.isOver } }

  /// Returns true when a task of this name is open or has ended.
  func contains(_ name: String) -> Bool { index(of: name) != nil || endedNames.contains(name) }

  /// Returns the reason to refuse a command to the task of this name; nil for an open task.
  func rejectionReason(forTask name: String) -> ServiceFailure? {
    if index(of: name) != nil { return nil }
    return endedNames.contains(name)
      ? .ended("the task “\(name)” has ended", remedy: "create a task with another name")
      : .ended("there is no task “\(name)”", remedy: "create it first")
  }

  /// Returns the reason to refuse a new task; nil when there is room for it, and for a known name.
  func rejectionReason(forNewTask name: String) -> ServiceFailure? {
    guard open.count >= Self.maxOpenTasks, !contains(name) else { return nil }
    return ServiceFailure(
      .full, "the session has \(Self.maxOpenTasks) open tasks", remedy: "wait for some, or cancel them")
  }

  mutating func add(_ task: TransferTask) { open.append(task) }

  /// Marks a task as ended. Its index stays valid until `removeEnded`.
  mutating func end(_ index: Int) {
    open[index].isOver = true
    endedNames.append(open[index].name)
    if endedNames.count > Self.maxEndedNames { endedNames.removeFirst(endedNames.count - Self.maxEndedNames) }
  }

  /// Removes the tasks that are marked as ended.
  mutating func removeEnded() { open.removeAll(where: \.isOver) }

  /// Adapts the tasks to a restart, which ended their attempts.
  mutating func restart() { open = open.map(\.afterRestart) }
}

/// The members of a session's saved state that belong to the tasks.
extension TransferTasks: Codable {
  enum CodingKeys: String, CodingKey {
    case open = "tasks"
    case endedNames = "over"
  }
}
