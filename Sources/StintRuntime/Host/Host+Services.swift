import StintGovernor
public import StintModel
import StintPluginHost
public import StintServices
public import StintUnits

extension Host {
  /// Passes inputs of clients to the services and performs their effects. Returns when no effects remain.
  public func serve(_ inputs: [ServiceInput], at instant: Instant) async {
    prepareServing()
    let moment = max(instant, governor.now)
    pendingServiceInputs += inputs
    await step(moment, inputs: gatherServices(at: moment))
  }

  /// Passes inputs of scripted clients to the services, after the facts of the same instant.
  ///
  /// - Returns: the inputs of the governor that follow, for the step that also contains `facts`.
  func serve(_ inputs: [ServiceInput], after facts: [Input], at instant: Instant) -> [Input] {
    prepareServing()
    for fact in facts { forwardToServices(fact) }
    pendingServiceInputs += inputs
    return gatherServices(at: max(instant, governor.now))
  }

  /// Queues the order that follows from a notice that its client has read. The carrier gets the order with
  /// the next event of the host. May be called from any thread; has no effect without a carrier.
  public nonisolated func queue(_ order: TransferOrder, of service: ServiceID) {
    readOrders.withLock { $0.append((service, order)) }
  }

  /// A copy of the services, for queries.
  public var serviceBoard: ServiceBoard { services }

  /// Saves services with `keeper` from now on, and restores the services that a previous host saved. `saved`
  /// is nil on a first start.
  public func serve(
    keeping keeper: any ServicesKeeper, restoring saved: SavedServices?, at instant: Instant
  ) async {
    servicesKeeper = keeper
    if let saved { await serve([.restore(saved)], at: instant) }
  }

  /// The time between two attempts to save after a failure.
  private static let saveRetryDelay = TimeSpan.seconds(10)

  /// Saves the state of services. After a failure, effects that depend on the saved state are deferred until
  /// saving succeeds. Returns the effects to perform now.
  private func keepServices(_ effects: [ServiceEffect], at instant: Instant) -> [ServiceEffect] {
    guard services.needsSave, let servicesKeeper else { return effects }
    if let nextSaveAttempt, instant < nextSaveAttempt { return services.withhold(effects) }
    services.queueForDetachedClients()
    do throws(Problem) {
      let content = try ServicesFile.content(for: services.saved)
      if content != savedServices || nextSaveAttempt != nil { try servicesKeeper.keep(content) }
      savedServices = content
    } catch {
      if nextSaveAttempt == nil {
        observer?.logged("services are not saved for a restart, but continue: \(error)", at: instant)
      }
      nextSaveAttempt = instant + Self.saveRetryDelay
      return services.withhold(effects)
    }
    services.needsSave = false
    guard nextSaveAttempt != nil else { return effects }
    nextSaveAttempt = nil
    observer?.logged("services are saved for a restart again", at: instant)
    return effects + services.releaseDeferred()
  }

  /// Handles the start or end of low memory, as reported by the system or a simulated fault.
  public func note(memoryIsLow isLow: Bool, at instant: Instant) async {
    let moment = max(instant, governor.now)
    await step(moment, inputs: noteMemory(isLow: isLow, at: moment))
  }

  /// Handles a change of the memory state. When memory is low, drops waiting notices except the newest, and
  /// lets services deliver the samples that they hold back. Publishes the fact `memory.low` when it is
  /// declared.
  func noteMemory(isLow: Bool, at instant: Instant) -> [Input] {
    deliveryBuffer = []
    let dropped = isLow ? services.dropOldNotices() : 0
    let loss = dropped == 0 ? "" : "; \(dropped) notices for clients that are away are lost"
    observer?.logged(isLow ? "memory is low\(loss)" : "memory is no longer low", at: instant)
    if isServing { pendingServiceInputs.append(.memory(isLow: isLow)) }
    let vocabulary = governor.vocabulary
    let fact = vocabulary.fact("memory.low").map { Input.fact($0, .boolean(isLow)) }
    return [fact].compactMap(\.self) + (isServing ? stepServices(at: instant) : [])
  }

  /// Prepares the services for inputs of clients or rules. The services get the known facts, and from now on
  /// every later input that they handle.
  private func prepareServing() {
    if !isServing {
      isServing = true
      pendingServiceInputs.append(.defaults(governor.program?.defaults ?? []))
      for device in plugins.members.indices where plugins.loss(device) != nil {
        pendingServiceInputs.append(.device(plugins.members[device].device, .available(false)))
      }
    }
    guard servicesMissedFacts else { return }
    servicesMissedFacts = false
    let vocabulary = governor.vocabulary
    for number in 0..<vocabulary.firstComputed {
      let since = governor.facts.instant(number)
      pendingServiceInputs.append(
        .known(vocabulary.facts[number].path, governor.facts.value(number), since: since))
    }
  }

  /// Passes pending inputs to the services and returns their effects as inputs of the governor.
  func stepServices(at instant: Instant) -> [Input] {
    guard !pendingServiceInputs.isEmpty || servicesTimer <= instant else { return [] }
    return gatherServices(at: instant)
  }

  /// Passes pending inputs to the services and saves their state. Returns their effects as inputs of the
  /// governor.
  private func gatherServices(at instant: Instant) -> [Input] {
    var serviceInputs: [ServiceInput] = []
    swap(&serviceInputs, &pendingServiceInputs)
    var inputs: [Input] = []
    // Save the state before clients get notices that depend on it.
    let effects = keepServices(services.step(serviceInputs, at: instant), at: instant)
    if let input = authorizationInput(serviceInputs) { inputs.append(input) }
    for effect in effects {
      switch effect {
      case .raise(let demand):
        if let owner = services.owner(of: demand.id) { observer?.demanded(demand, by: owner, at: instant) }
        inputs.append(.raise(demand))
      case .release(let demand): inputs.append(.release(demand))
      case .withdraw(let demand):
        if activeDemands[demand] != nil { withdrawn.insert(demand) }
        inputs.append(.release(demand))
      case .wake(let demand): inputs.append(.wakeRequested(demand))
      case .publish(let path, let value):
        if let fact = governor.vocabulary.fact(path), !muted.contains(fact) {
          inputs.append(.fact(fact, value))
        }
      case .presence(let client, let presence):
        inputs.append(.presence(client, isInBackground: presence.map { $0 == .background }))
      case .publishSignal(let signal, let value): inputs.append(.signal(signal, value))
      case .setHasConsumer(let demand, let hasConsumer): inputs.append(.hasConsumer(demand, hasConsumer))
      case .order(let id, let order as TransferOrder) where !carriers.isEmpty:
        let failure = carriers.queue(order, of: id) { services.isAvailable($0) }
        if let failure { pendingServiceInputs.append(failure) }
      case .notice, .accepted, .over, .order, .launch, .notifyUser, .refused:
        observer?.served(effect, at: instant)
      }
    }
    servicesTimer = min(services.nextTimer, nextSaveAttempt ?? .distantFuture)
    if !effects.isEmpty { sourceInstant = source.nextInstant ?? .distantFuture }
    return inputs
  }

  /// Handles the start or end of a service that a rule runs.
  func apply(_ input: ServiceInput) {
    prepareServing()
    pendingServiceInputs.append(input)
  }

  /// Passes the defaults of new policies to the services.
  func sendDefaults() {
    if isServing { pendingServiceInputs.append(.defaults(governor.program?.defaults ?? [])) }
  }

  /// Returns an input for the fact `auth.location`, which is the highest authorization of all clients.
  /// Returns nil when the fact is unchanged.
  private func authorizationInput(_ serviceInputs: [ServiceInput]) -> Input? {
    let mayDiffer = serviceInputs.contains { input in
      switch input {
      case .attach, .authorize, .remove, .restore: true
      default: false
      }
    }
    let vocabulary = governor.vocabulary
    guard mayDiffer, let fact = vocabulary.fact("auth.location"), !muted.contains(fact),
      let highest = services.clients.filter({ !$0.isPolicy }).map(\.authorization).max(),
      let value = vocabulary.facts[fact].value(from: highest.word), governor.facts.value(fact) != value
    else { return nil }
    return .fact(fact, value)
  }

  /// Passes an input of the governor to the services.
  func forwardToServices(_ input: Input) {
    let vocabulary = governor.vocabulary
    switch input {
    case .fact(let fact, let value):
      guard vocabulary.facts.indices.contains(fact) else { return }
      // A service that begins later gets the facts at its begin.
      guard services.interests.contains(.facts) || !pendingServiceInputs.isEmpty else {
        servicesMissedFacts = true
        return
      }
      pendingServiceInputs.append(.fact(vocabulary.facts[fact].path, value))
    case .outcome(let device, .state(let state, _)) where services.interests.contains(.devices):
      let manifest = vocabulary.manifests[device]
      guard manifest.states.indices.contains(state) else { return }
      let entered = manifest.states[state]
      pendingServiceInputs.append(.device(manifest.device, .state(entered.name, isOn: entered.isOn)))
    case .outcome(let device, .fault(let text)) where services.interests.contains(.devices):
      pendingServiceInputs.append(.device(vocabulary.manifests[device].device, .fault(text)))
    case .available(let device, let isThere):
      pendingServiceInputs.append(.device(vocabulary.manifests[device].device, .available(isThere)))
    case .carried(let demand): if services.owns(demand) { pendingServiceInputs.append(.carried(demand)) }
    case .raise, .release, .delivered, .outcome, .wakeRequested, .signal, .hasConsumer, .localTime, .presence:
      break
    }
  }
}
