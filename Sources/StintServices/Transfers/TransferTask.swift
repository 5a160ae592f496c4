import StintModel
import StintUnits

/// The record of one task in a session.
struct TransferTask: Hashable, Sendable, Codable {
  enum Phase: Hashable, Sendable, Codable {
    /// The task was created and is not resumed yet.
    case suspended
    /// The task waits until it may start.
    case waiting
    /// The task has a demand with the governor, or the radio transfers its bytes.
    case carrying
    /// All bytes are transferred; the server has not reported the result.
    case settling
    /// An attempt failed; the task waits for a retry.
    case resting(until: Instant)
    /// The task waits for the credentials that the server requested.
    case parked
  }

  let name: String
  let request: TransferRequest
  let created: Instant
  let window: TimeSpan
  var phase = Phase.suspended
  /// The instant of the first resume; nil before the first resume.
  var submitted: Instant?
  /// Whether the task waits for a good moment before it starts.
  var isDeferrable: Bool
  /// Whether the user waits for the task now.
  var isUrgent: Bool
  /// Whether the task has ended and is about to be removed.
  var isOver = false
  /// The number of failed attempts.
  var failures = 0
  /// The number of the current attempt; 0 before the first attempt.
  var attempt = 0
  /// The number of transferred bytes that need not be transferred again.
  var bytesThrough: Int64 = 0
  /// The number of transferred bytes when the attempt began.
  var offset: Int64 = 0
  /// The task's demand, until the governor ends the demand; nil without a demand. Demands do not survive a
  /// restart.
  var demand: DemandID?
  /// The radio that serves the demand; nil while no radio serves it.
  var provider: DeviceID?
  /// Whether the governor holds the demand back.
  var isHeld = true
  /// The last reason for waiting that was reported to the client; nil before the first report.
  var reported: TransferWait?

  /// The demand and its state are not saved, because demands do not survive a restart.
  enum CodingKeys: String, CodingKey {
    case name, request, created, window, submitted, failures, attempt, reported, phase
    case isDeferrable = "deferrable"
    case isUrgent = "urgent"
    case bytesThrough = "bytes_through"
  }

  init(_ name: String, _ request: TransferRequest, window: TimeSpan, isDeferrable: Bool, at instant: Instant)
  {
    self.name = name
    self.request = request
    self.window = request.window?.timeSpan ?? window
    self.isDeferrable = isDeferrable
    isUrgent = request.isUrgent
    created = instant
  }

  /// Whether the decoded task is valid.
  var isValid: Bool {
    request.rejectionReason == nil && failures >= 0 && attempt >= 0
      && (0...request.bytes).contains(bytesThrough)
  }

  /// The task as it continues after a restart, which ended its attempt.
  var afterRestart: TransferTask {
    var task = self
    if isCarrying || phase == .settling { task.phase = .waiting }
    return task
  }

  var bytesLeft: Int64 { request.bytes - bytesThrough }

  /// The end of the task's window. The window begins with the first resume. Until the task is resumed, the
  /// window is counted from the creation.
  var expiry: Instant { (submitted ?? created) + window }

  var isCarrying: Bool { phase == .carrying }

  /// Returns the remaining transfer. `bytesThrough` counts the bytes to send before the bytes to fetch.
  func transfer(deadline: TimeSpan?) -> Transfer {
    let up = max(0, request.bytesUp - bytesThrough)
    return Transfer(bytesUp: up, bytesDown: bytesLeft - up, deadline: deadline)
  }

  /// Sets the number of transferred bytes, counted from the beginning; it never decreases.
  mutating func advance(to bytes: Int64) {
    bytesThrough = max(bytesThrough, min(bytes, request.bytes))
  }

  func exchange(in id: ServiceID) -> TransferExchange {
    TransferExchange(
      task: name, attempt: attempt, key: "\(id)/\(name)", request: request, offset: offset)
  }
}
