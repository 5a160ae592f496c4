import StintGovernor
import StintModel
import StintServices

/// The submissions that a host has not processed yet.
struct Inbox: ~Copyable {
  /// The maximum number of waiting submissions. Further submissions are rejected and counted.
  static let maxSubmissions = 4096

  private var waiting: [Submission] = []
  /// True after `close()`.
  private(set) var isClosed = false
  /// The number of rejected submissions.
  private(set) var refusedCalls = 0

  /// True when no submission waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds work, and returns the promise of its outcome. Rejected work does not wait: its promise is fulfilled
  /// at once.
  mutating func add(_ work: Submission.Work) -> (done: Promise<SubmissionOutcome>, waits: Bool) {
    let done = Promise<SubmissionOutcome>()
    guard !isClosed, waiting.count < Self.maxSubmissions else {
      if !isClosed { refusedCalls += 1 }
      done.fill(isClosed ? .closed : .overloaded)
      return (done, false)
    }
    waiting.append(Submission(work: work, done: done))
    return (done, true)
  }

  /// Removes and returns the waiting submissions, oldest first.
  mutating func drain() -> [Submission] {
    defer { waiting = [] }
    return waiting
  }

  /// Completes all waiting submissions with `closed`. Later submissions are rejected.
  mutating func close() {
    isClosed = true
    for submission in drain() { submission.done.fill(.closed) }
  }
}

/// Work that a caller has submitted and waits for.
struct Submission {
  enum Work {
    case inputs([Input])
    case services([ServiceInput])
  }

  var work: Work
  var done: Promise<SubmissionOutcome>
}

/// The result of a submission to a host.
public enum SubmissionOutcome: Hashable, Sendable {
  /// The host has processed the submission.
  case done
  /// Too many calls were waiting. Nothing was processed.
  case overloaded
  /// The host is closed. Nothing was processed.
  case closed
}
