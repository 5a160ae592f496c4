import StintRuntime

/// The clients that an app has attached, and the number of their calls in progress.
///
/// A name stays in use while a call of its client is in progress. So no call can act on another client that
/// gets the same name later.
struct Attachments {
  private struct Attachment {
    let number: Int
    var calls = 0
    var isLeaving = false
    /// The detach that waits for the end of the calls.
    var lastCall: Promise<Void>?
    /// Further detaches of the same client. They wait for the end of the first one.
    var followers: [Promise<Void>] = []
  }

  /// The steps that a detach of a client must take.
  enum Departure {
    /// Wait for the end of the calls in progress, then detach the client and call `remove(_:)`.
    case first(lastCall: Promise<Void>)
    /// Wait: another detach of this client is in progress.
    case inProgress(Promise<Void>)
    /// Nothing: the client was detached earlier.
    case over
  }

  private var attachments: [String: Attachment] = [:]
  private var lastNumber = 0

  /// Adds a client with a free name. Returns the number of the attachment, which is never used again.
  mutating func add(_ name: String) -> Int {
    lastNumber += 1
    attachments[name] = Attachment(number: lastNumber)
    return lastNumber
  }

  /// Removes a client that has no call in progress.
  mutating func remove(_ name: String) {
    let attachment = attachments.removeValue(forKey: name)
    for follower in attachment?.followers ?? [] { follower.fill(()) }
  }

  /// Begins a call of a client; `endCall(of:)` ends it. Returns false, and begins nothing, for a client that
  /// was detached.
  mutating func beginCall(of name: String, _ number: Int) -> Bool {
    guard let attachment = attachments[name], attachment.number == number, !attachment.isLeaving else {
      return false
    }
    attachments[name]?.calls += 1
    return true
  }

  /// Ends a call that `beginCall(of:_:)` began.
  mutating func endCall(of name: String) {
    attachments[name]?.calls -= 1
    if attachments[name]?.calls == 0 { attachments[name]?.lastCall?.fill(()) }
  }

  /// Begins the detach of a client. Later calls of the client are refused.
  mutating func beginDetach(of name: String, _ number: Int) -> Departure {
    guard let attachment = attachments[name], attachment.number == number else { return .over }
    let promise = Promise<Void>()
    if attachment.isLeaving {
      attachments[name]?.followers.append(promise)
      return .inProgress(promise)
    }
    attachments[name]?.isLeaving = true
    attachments[name]?.lastCall = promise
    if attachment.calls == 0 { promise.fill(()) }
    return .first(lastCall: promise)
  }
}
