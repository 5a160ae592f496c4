import StintModel
import StintServices
import StintUnits

/// The saving of a host's services to the disk. At most one save is in progress. After a failure, the next
/// attempt follows later.
///
/// Saves are numbered. Effects of services that depend on the saved state, such as notices, wait until the
/// save that contains the present state has ended. A slow disk delays only these effects.
struct ServiceSaving: ~Copyable {
  /// A save whose result the keeper reports, on any thread.
  private final class Save: Sendable {
    let number: Int
    let content: [UInt8]
    let result = Locked<Result<Void, Problem>?>(nil)
    /// Receives true when the result is known.
    let ended = Promise<Bool>()

    init(number: Int, content: [UInt8]) {
      self.number = number
      self.content = content
    }

    func end(_ problem: Problem?) {
      result.withLock { $0 = problem.map(Result.failure) ?? .success(()) }
      ended.fill(true)
    }
  }

  /// The time between two attempts to save after a failure.
  private static let retryDelay = TimeSpan.seconds(10)
  /// The time after which a save without a result counts as failed. When its result arrives later, the result
  /// is used.
  static let timeout = TimeSpan.seconds(5)

  private var keeper: (any ServicesKeeper)?
  private var current: Save?
  /// The number of the last save that was begun.
  private var lastBegun = 0
  /// The number of the last save whose content is persistent, and this content.
  private var lastSaved = 0
  private var savedContent: [UInt8]?
  /// True from a failed or late save until the next successful save.
  private var isFailing = false
  /// The instant of the next attempt after a failure; nil when none is planned.
  private var nextAttempt: Instant?
  /// The instant at which the save in progress counts as failed. Nil without a save in progress, and when
  /// this save already counts as failed.
  private var deadline: Instant?

  /// Saves with `keeper` from now on.
  mutating func use(_ keeper: any ServicesKeeper) { self.keeper = keeper }

  /// The next instant at which `update` must be called.
  var nextTimer: Instant { min(nextAttempt ?? .distantFuture, deadline ?? .distantFuture) }

  /// True when the result of a save waits for `update`.
  var hasResult: Bool { current?.result.withLock { $0 != nil } ?? false }

  /// Receives true when the save in progress ends; nil without a save in progress.
  var end: Promise<Bool>? { current?.ended }

  /// Returns the number of the save that contains the present state. Nil when the state is saved or there is
  /// no keeper. Also nil while saving fails, so that no caller waits for a disk that is full or silent.
  func pending(_ board: borrowing ServiceBoard) -> Int? {
    let number = needed(board)
    return keeper == nil || isSettled(number) ? nil : number
  }

  /// Returns whether a save has ended, or saving fails at present.
  func isSettled(_ number: Int) -> Bool { number <= lastSaved || isFailing }

  private func needed(_ board: borrowing ServiceBoard) -> Int { lastBegun + (board.needsSave ? 1 : 0) }

  // MARK: Updates

  /// Handles the result of a save and begins the next save. Withholds the effects that depend on state that
  /// is not saved yet.
  ///
  /// - Parameters:
  ///   - effects: the effects of the present step. On return, the effects to perform now.
  ///   - messages: receives messages about a failure and its end.
  mutating func update(
    _ board: inout ServiceBoard, _ effects: inout [ServiceEffect], _ messages: inout [RunMessage],
    at instant: Instant
  ) {
    guard let keeper else { return }
    takeResult(&board, &messages, at: instant)
    begin(with: keeper, &board, &messages, at: instant)
    // A keeper may have written the content at once.
    takeResult(&board, &messages, at: instant)
    let number = needed(board)
    // Effects that follow withheld effects of their service wait as well, so that their order stays.
    if number > lastSaved || board.withholdsOutput { effects = board.withhold(effects, until: number) }
    effects += board.releaseDeferred(through: lastSaved)
  }

  private mutating func takeResult(
    _ board: inout ServiceBoard, _ messages: inout [RunMessage], at instant: Instant
  ) {
    guard let save = current else { return }
    switch save.result.withLock({ $0 }) {
    case .success:
      current = nil
      deadline = nil
      lastSaved = save.number
      savedContent = save.content
      if isFailing { messages.append(.notice("saving the services for a restart works again")) }
      isFailing = false
      // A client that has left gets its notices when it returns, so these notices must be saved too.
      if board.queueForDetachedClients() { board.needsSave = true }
    case .failure(let problem):
      current = nil
      deadline = nil
      fail("\(problem)", &board, &messages, at: instant)
    case nil:
      guard let deadline, deadline <= instant else { return }
      self.deadline = nil
      note("the disk has not answered for \(Self.timeout)", &messages)
    }
  }

  private mutating func begin(
    with keeper: any ServicesKeeper, _ board: inout ServiceBoard, _ messages: inout [RunMessage],
    at instant: Instant
  ) {
    guard current == nil, board.needsSave, nextAttempt ?? instant <= instant else { return }
    nextAttempt = nil
    board.queueForDetachedClients()
    let content: [UInt8]
    do throws(Problem) {
      content = try ServicesFile.content(for: board.saved)
    } catch {
      return fail("\(error)", &board, &messages, at: instant)
    }
    board.needsSave = false
    lastBegun += 1
    guard content != savedContent || isFailing else {
      lastSaved = lastBegun
      return
    }
    let save = Save(number: lastBegun, content: content)
    current = save
    deadline = instant + Self.timeout
    keeper.keep(content) { save.end($0) }
  }

  private mutating func fail(
    _ reason: String, _ board: inout ServiceBoard, _ messages: inout [RunMessage], at instant: Instant
  ) {
    board.needsSave = true
    nextAttempt = instant + Self.retryDelay
    note(reason, &messages)
  }

  /// Records that saving fails. Adds a message only for the first of consecutive failures.
  private mutating func note(_ reason: String, _ messages: inout [RunMessage]) {
    if !isFailing {
      messages.append(.problem("services are not saved for a restart, but continue: \(reason)"))
    }
    isFailing = true
  }
}
