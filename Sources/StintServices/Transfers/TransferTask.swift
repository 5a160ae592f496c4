import StintModel
import StintUnits

/// What a session keeps of one task.
struct TransferTask: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// Made, and not resumed yet.
    case suspended
    /// It may go when the moment is right.
    case waiting
    /// The governor has its demand, or the radio its bytes.
    case carrying
    /// Its bytes are through; the server has not said what came of it.
    case settling
    /// It failed for now.
    case resting(until: Instant)
    /// The server wants credentials.
    case parked
  }

  let name: String
  let request: TransferRequest
  let created: Instant
  let window: TimeSpan
  var phase = Phase.suspended
  /// When it was resumed first.
  var submitted: Instant?
  /// Whether it waits for a good moment.
  var isDeferrable: Bool
  /// Whether the user waits for it now.
  var isUrgent: Bool
  /// Whether it is over, and about to be forgotten.
  var isOver = false
  /// Whether it goes now for want of a good moment.
  var isForced = false
  var failures = 0
  var attempt = 0
  var bytesThrough: Int64 = 0
  /// What was through when the attempt began.
  var offset: Int64 = 0
  /// Its demand, until the governor says that it is over; forgotten over a restart, as demands are.
  var demand: DemandID?
  /// Which radio serves the demand.
  var provider: DeviceID?
  /// Whether the governor holds the demand back.
  var isHeld = true
  /// The last reason for waiting that its client got.
  var reported: TransferWait?

  init(_ name: String, _ request: TransferRequest, window: TimeSpan, isDeferrable: Bool, at instant: Instant)
  {
    self.name = name
    self.request = request
    self.window = request.window ?? window
    self.isDeferrable = isDeferrable
    isUrgent = request.isUrgent
    created = instant
  }

  var bytesLeft: Int64 { request.bytes - bytesThrough }

  /// When its window ends, whatever it does.
  var expiry: Instant { (submitted ?? created) + window }

  var isCarrying: Bool { phase == .carrying }

  /// What is left, upward bytes first, as they go.
  func transfer(deadline: TimeSpan?) -> Transfer {
    let up = max(0, request.bytesUp - bytesThrough)
    return Transfer(bytesUp: up, bytesDown: bytesLeft - up, deadline: deadline)
  }

  /// So much of it is through, counted from its beginning; never less than was known.
  mutating func advance(to bytes: Int64) {
    bytesThrough = max(bytesThrough, min(bytes, request.bytes))
  }

  func exchange(in id: ServiceID) -> TransferExchange {
    TransferExchange(
      task: name, attempt: attempt, key: "\(id)/\(name)", request: request, offset: offset)
  }
}
