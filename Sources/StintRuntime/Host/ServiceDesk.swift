import StintGovernor
import StintModel
import StintServices
import StintUnits

/// The services of a host: the board, the inputs that it has not received yet, and its saved state.
///
/// The host performs the effects that `step` returns.
struct ServiceDesk: ~Copyable {
  /// The result of a step.
  struct Outcome {
    /// The effects to perform now, in order.
    var effects: [ServiceEffect]
    /// Sentences about the saving of the state.
    var sentences: [String] = []
    /// True when an input may have changed the permissions of a client.
    var changesPermissions = false
  }

  /// The time between two attempts to save after a failure.
  private static let saveRetryDelay = TimeSpan.seconds(10)

  /// The board, for queries.
  private(set) var board: ServiceBoard
  private var waiting: [ServiceInput] = []
  /// True after the services were connected to the run, at the first input for them.
  private(set) var isServing = false
  /// True when the services have not received all facts, because no service handled facts.
  private var hasMissedFacts = true
  private var keeper: (any ServicesKeeper)?
  /// The content that was saved last.
  private var saved: [UInt8]?
  /// The instant of the next attempt to save after a failure; nil when saving works.
  private var nextSaveAttempt: Instant?
  /// The next instant at which `step` must be called even without inputs.
  private(set) var nextTimer = Instant.distantFuture

  /// - Parameter carriesTransfers: see `ServiceBoard.carriesTransfers`.
  init(_ vocabulary: Vocabulary, at instant: Instant, carriesTransfers: Bool) {
    board = ServiceBoard(vocabulary, at: instant)
    board.carriesTransfers = carriesTransfers
  }

  // MARK: Inputs

  /// True when an input waits, or when `nextTimer` is reached at this instant.
  func needsStep(at instant: Instant) -> Bool { !waiting.isEmpty || nextTimer <= instant }

  /// True when an input waits for the next step.
  var hasInput: Bool { !waiting.isEmpty }

  /// Adds an input for the next step.
  mutating func add(_ input: ServiceInput) { waiting.append(input) }

  /// Adds inputs for the next step.
  mutating func add(_ inputs: [ServiceInput]) { waiting += inputs }

  /// Prepares the services for inputs of clients or rules. The services get the known facts, and from now on
  /// every later input that they handle.
  ///
  /// - Parameter lost: returns the devices that are not available.
  mutating func connect(_ governor: borrowing Governor, lost: () -> [DeviceID]) {
    if !isServing {
      isServing = true
      waiting.append(.defaults(governor.program?.defaults ?? []))
      for device in lost() { waiting.append(.device(device, .available(false))) }
    }
    guard hasMissedFacts else { return }
    hasMissedFacts = false
    for number in 0..<governor.vocabulary.firstComputed {
      let since = governor.facts.instant(number)
      waiting.append(
        .known(governor.vocabulary.facts[number].path, governor.facts.value(number), since: since))
    }
  }

  /// Passes the defaults of new policies to the services.
  mutating func sendDefaults(of governor: borrowing Governor) {
    if isServing { waiting.append(.defaults(governor.program?.defaults ?? [])) }
  }

  /// Passes an input of the governor to the services that handle it.
  mutating func forward(_ input: Input, _ vocabulary: Vocabulary) {
    guard isServing else { return }
    switch input {
    case .fact(let fact, let value):
      guard vocabulary.facts.indices.contains(fact) else { return }
      // A service that begins later gets the facts when it begins.
      guard board.interests.contains(.facts) || !waiting.isEmpty else {
        hasMissedFacts = true
        return
      }
      waiting.append(.fact(vocabulary.facts[fact].path, value))
    case .outcome(let device, .state(let state, _)) where board.interests.contains(.devices):
      let manifest = vocabulary.manifests[device]
      guard manifest.states.indices.contains(state) else { return }
      let entered = manifest.states[state]
      waiting.append(.device(manifest.device, .state(entered.name, isOn: entered.isOn)))
    case .outcome(let device, .fault(let text)) where board.interests.contains(.devices):
      waiting.append(.device(vocabulary.manifests[device].device, .fault(text)))
    case .available(let device, let isThere):
      waiting.append(.device(vocabulary.manifests[device].device, .available(isThere)))
    case .carried(let demand): if board.owns(demand) { waiting.append(.carried(demand)) }
    case .raise, .release, .delivered, .outcome, .wakeRequested, .signal, .hasConsumer, .localTime, .presence:
      break
    }
  }

  /// Handles the start or end of low memory. Returns the number of dropped notices.
  mutating func note(memoryIsLow isLow: Bool) -> Int {
    let dropped = isLow ? board.dropOldNotices() : 0
    if isServing { waiting.append(.memory(isLow: isLow)) }
    return dropped
  }

  // MARK: Steps

  /// Passes the waiting inputs to the services and saves their state. The effects include notices that depend
  /// on the state only when it is saved.
  mutating func step(at instant: Instant) -> Outcome {
    var inputs: [ServiceInput] = []
    swap(&inputs, &waiting)
    var outcome = Outcome(effects: board.step(inputs, at: instant))
    save(&outcome, at: instant)
    outcome.changesPermissions = inputs.contains { input in
      switch input {
      case .attach, .authorize, .decide, .remove, .restore: true
      default: false
      }
    }
    nextTimer = min(board.nextTimer, nextSaveAttempt ?? .distantFuture)
    return outcome
  }

  // MARK: Saving

  /// Saves the state with `keeper` from now on.
  mutating func save(with keeper: any ServicesKeeper) { self.keeper = keeper }

  /// Saves the state of services. After a failure, effects that depend on the saved state are deferred until
  /// saving succeeds.
  private mutating func save(_ outcome: inout Outcome, at instant: Instant) {
    guard board.needsSave, let keeper else { return }
    if let nextSaveAttempt, instant < nextSaveAttempt {
      outcome.effects = board.withhold(outcome.effects)
      return
    }
    board.queueForDetachedClients()
    do throws(Problem) {
      let content = try ServicesFile.content(for: board.saved)
      if content != saved || nextSaveAttempt != nil { try keeper.keep(content) }
      saved = content
    } catch {
      if nextSaveAttempt == nil {
        outcome.sentences.append("services are not saved for a restart, but continue: \(error)")
      }
      nextSaveAttempt = instant + Self.saveRetryDelay
      outcome.effects = board.withhold(outcome.effects)
      return
    }
    board.needsSave = false
    guard nextSaveAttempt != nil else { return }
    nextSaveAttempt = nil
    outcome.sentences.append("services are saved for a restart again")
    outcome.effects += board.releaseDeferred()
  }
}
