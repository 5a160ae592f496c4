import StintGovernor
import StintModel
import StintServices
import StintUnits

/// The services of a host. The desk contains the service board, the inputs that the board has not received
/// yet, and the saves of the board's state.
///
/// The host performs the effects that `step` returns.
struct ServiceDesk: ~Copyable {
  /// The result of a step.
  struct Outcome {
    /// The effects to perform now, in order.
    var effects: [ServiceEffect]
    /// Sentences about the saving of the state.
    var messages: [RunMessage] = []
    /// True when an input may have changed the permissions of a client.
    var changesPermissions = false
  }

  /// The board, for queries.
  private(set) var board: ServiceBoard
  private var waiting: [ServiceInput] = []
  /// The demands that received the last batch. Consecutive batches often have the same receivers and then
  /// share this array.
  private var lastDemands: [DemandID] = []
  /// True after the services were connected to the run, at the first input for them.
  private(set) var isServing = false
  /// True when the services have not received all facts, because no service handled facts.
  private var hasMissedFacts = true
  private var saving = ServiceSaving()
  /// The next instant at which `step` must be called even without inputs.
  private(set) var nextTimer = Instant.distantFuture

  /// - Parameter carriesTransfers: see `ServiceBoard.carriesTransfers`.
  init(_ vocabulary: Vocabulary, at instant: Instant, carriesTransfers: Bool) {
    board = ServiceBoard(vocabulary, at: instant)
    board.carriesTransfers = carriesTransfers
  }

  // MARK: Inputs

  /// True when an input waits, or when `nextTimer` is reached at this instant.
  func needsStep(at instant: Instant) -> Bool { hasInput || nextTimer <= instant }

  /// True when an input or the result of a save waits for the next step.
  var hasInput: Bool { !waiting.isEmpty || saving.hasResult }

  /// Adds an input for the next step.
  mutating func add(_ input: ServiceInput) { waiting.append(input) }

  /// Adds a batch for the services among its receivers. When the last waiting input is a similar batch for
  /// the same services, the new samples may be added to that batch.
  mutating func add(_ batch: Batch, for receivers: [Receiver]) {
    guard isServing else { return }
    var count = 0
    var isJoined = true
    for receiver in receivers {
      switch receiver.service {
      case .none: continue
      case .single: isJoined = false
      case .joined: break
      }
      if count == lastDemands.count {
        lastDemands.append(receiver.demand.id)
      } else if lastDemands[count] != receiver.demand.id {
        lastDemands[count] = receiver.demand.id
      }
      count += 1
    }
    guard count > 0 else { return }
    if count < lastDemands.count { lastDemands.removeLast(lastDemands.count - count) }
    if !isJoined || !join(batch) { waiting.append(.batch(batch, lastDemands)) }
  }

  /// The maximum number of samples of a batch to which further batches were added.
  private static let maxJoined = 256

  /// Adds the samples of a batch for `lastDemands` to the last waiting input. Returns false when that input
  /// is not a similar batch for these demands.
  private mutating func join(_ batch: Batch) -> Bool {
    guard batch.wide == nil, case .batch(var joined, let demands)? = waiting.last,
      joined.samples.count + batch.samples.count <= Self.maxJoined, joined.wide == nil,
      joined.reason == batch.reason, demands == lastDemands, joined.device == batch.device
    else { return false }
    // The samples have one owner while they grow, so they are not copied.
    waiting.removeLast()
    joined.samples += batch.samples
    waiting.append(.batch(joined, demands))
    return true
  }

  /// Returns how the batches of a demand reach its service.
  func delivery(to demand: DemandID) -> ServiceDelivery {
    guard board.handles(demand) else { return .none }
    return board.joinsBatches(demand) ? .joined : .single
  }

  /// Returns whether the service of a demand handles the samples and grants of the demand.
  func handles(_ demand: DemandID) -> Bool { board.handles(demand) }

  /// Returns whether a service raised a demand.
  func owns(_ demand: DemandID) -> Bool { board.owns(demand) }

  /// Returns the service that raised a demand; nil for demands that clients raised directly.
  func owner(of demand: DemandID) -> ServiceID? { board.owner(of: demand) }

  /// Returns whether a device exists and is available.
  func isAvailable(_ device: DeviceID) -> Bool { board.isAvailable(device) }

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

  /// Returns whether services may need an input of the governor.
  func handles(_ input: Input) -> Bool {
    switch input {
    case .fact, .outcome, .available, .carried: isServing
    // Services read no facts of families.
    case .keyed: false
    case .raise, .release, .delivered, .wakeRequested, .signal, .hasConsumer, .localTime, .presence: false
    }
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
    case .raise, .release, .delivered, .outcome, .wakeRequested, .signal, .hasConsumer, .localTime, .presence,
      .keyed:
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

  /// Passes the waiting inputs to the services and saves the state of the services. A notice that depends on
  /// unsaved state is returned by a later step, after the save.
  mutating func step(at instant: Instant) -> Outcome {
    var inputs: [ServiceInput] = []
    swap(&inputs, &waiting)
    var outcome = Outcome(effects: board.step(inputs, at: instant))
    saving.update(&board, &outcome.effects, &outcome.messages, at: instant)
    outcome.changesPermissions = inputs.contains { input in
      switch input {
      case .attach, .authorize, .decide, .remove, .restore: true
      default: false
      }
    }
    nextTimer = min(board.nextTimer, saving.nextTimer)
    // The next step reuses the memory of this array, unless there were unusually many inputs.
    if waiting.isEmpty, inputs.count <= 256 {
      inputs.removeAll(keepingCapacity: true)
      swap(&inputs, &waiting)
    }
    return outcome
  }

  // MARK: Saving

  /// Saves the state with `keeper` from now on.
  mutating func save(with keeper: any ServicesKeeper) { saving.use(keeper) }

  /// The number of the save that contains the present state; nil when the state is saved, or when
  /// saving fails.
  var pendingSave: Int? { saving.pending(board) }

  /// Returns whether a save has ended, or saving fails at present.
  func isSettled(_ save: Int) -> Bool { saving.isSettled(save) }

  /// Receives true when the save in progress ends; nil without a save in progress.
  var endOfSave: Promise<Bool>? { saving.end }
}
