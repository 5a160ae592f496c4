import StintGovernor
public import StintModel
import StintPluginHost
public import StintServices
public import StintUnits

extension Host {
  /// Passes inputs of clients to the services, and performs the effects of the services. Returns when no
  /// effects remain.
  public func serve(_ inputs: [ServiceInput], at instant: Instant) async {
    connectServices()
    let moment = max(instant, governor.now)
    desk.add(inputs)
    await step(moment, inputs: gatherServices(at: moment))
  }

  /// Passes inputs of scripted clients to the services, after the facts of the same instant.
  ///
  /// - Returns: the resulting inputs for the governor. The caller passes them to the governor in the same
  ///   step as `facts`.
  func serve(_ inputs: [ServiceInput], after facts: [Input], at instant: Instant) -> [Input] {
    connectServices()
    for fact in facts { desk.forward(fact, governor.vocabulary) }
    desk.add(inputs)
    return gatherServices(at: max(instant, governor.now))
  }

  /// Queues an order of a session. Call this function when the client has read the notice that causes the
  /// order. The carrier gets the order with the next event of the host. May be called from any thread; has no
  /// effect without a carrier.
  public nonisolated func queue(_ order: TransferOrder, of service: ServiceID) {
    readOrders.withLock { $0.append((service, order)) }
  }

  /// A copy of the services, for queries.
  public var serviceBoard: ServiceBoard { desk.board }

  /// Saves the services with `keeper` from now on, and restores `saved`, the services that a previous host
  /// saved. `saved` is nil when no previous host saved services.
  public func serve(
    keeping keeper: any ServicesKeeper, restoring saved: SavedServices?, at instant: Instant
  ) async {
    desk.save(with: keeper)
    if let saved { await serve([.restore(saved)], at: instant) }
  }

  /// Handles the start or end of low memory, as reported by the system or a simulated fault.
  public func note(memoryIsLow isLow: Bool, at instant: Instant) async {
    let moment = max(instant, governor.now)
    await step(moment, inputs: noteMemory(isLow: isLow, at: moment))
  }

  /// Handles a change of the memory state. When memory is low, drops old notices of detached clients (see
  /// `ServiceBoard.dropOldNotices`), and lets services deliver the samples that they hold back. Publishes the
  /// fact `memory.low` when it is declared.
  func noteMemory(isLow: Bool, at instant: Instant) -> [Input] {
    freeBuffer()
    let dropped = desk.note(memoryIsLow: isLow)
    let loss = dropped == 0 ? "" : "; lost notices for detached clients: \(dropped)"
    observer?.logged(.notice(isLow ? "memory is low\(loss)" : "memory is no longer low"), at: instant)
    let fact = governor.vocabulary.fact("memory.low").map { Input.fact($0, .boolean(isLow)) }
    return [fact].compactMap(\.self) + (desk.isServing ? stepServices(at: instant) : [])
  }

  /// Prepares the services for an input of a client or rule; see `ServiceDesk.connect`.
  private func connectServices() {
    desk.connect(governor) {
      plugins.members.indices.filter { plugins.failure($0) != nil }.map { plugins.members[$0].device }
    }
  }

  /// Passes pending inputs to the services, and returns the effects of the services as inputs of the
  /// governor.
  func stepServices(at instant: Instant) -> [Input] {
    desk.needsStep(at: instant) ? gatherServices(at: instant) : []
  }

  /// Passes pending inputs to the services and saves the state of the services. Returns the effects of the
  /// services as inputs of the governor.
  private func gatherServices(at instant: Instant) -> [Input] {
    let outcome = desk.step(at: instant)
    for message in outcome.messages { observer?.logged(message, at: instant) }
    var inputs: [Input] = []
    if outcome.changesPermissions, let input = authorizationInput { inputs.append(input) }
    for effect in outcome.effects { perform(effect, at: instant, adding: &inputs) }
    if !outcome.effects.isEmpty { updateSource() }
    answerSaved()
    return inputs
  }

  /// Completes a submission to the services when the changed state is saved. When this state is already saved
  /// or cannot be saved, completes the submission at once.
  func complete(_ done: Promise<SubmissionOutcome>) {
    guard let save = desk.pendingSave else { return done.fill(.done) }
    unsaved.append((save, done))
  }

  /// Completes the submissions whose state is saved, or cannot be saved.
  private func answerSaved() {
    guard !unsaved.isEmpty else { return }
    for entry in unsaved where desk.isSettled(entry.save) { entry.done.fill(.done) }
    unsaved.removeAll { desk.isSettled($0.save) }
  }

  /// Waits until the services are saved, but at most until `deadline`.
  func finishSaving(by deadline: EndDeadline, at instant: Instant) async {
    if let loop = LoopExecutor.current {
      while let end = desk.endOfSave {
        let timer = loop.schedule(at: SystemClock.monotonic() + deadline.remaining) { end.fill(false) }
        let isSaved = await end.value()
        loop.unschedule(timer)
        guard isSaved else {
          observer?.logged(.problem("the services were not saved: the disk did not answer"), at: instant)
          break
        }
        await step(instant)
      }
    }
    for entry in unsaved { entry.done.fill(.done) }
    unsaved = []
  }

  private func perform(_ effect: ServiceEffect, at instant: Instant, adding inputs: inout [Input]) {
    switch effect {
    case .raise(let demand):
      if let owner = desk.owner(of: demand.id) {
        observer?.demanded(demand, by: owner, at: instant)
      }
      inputs.append(.raise(demand))
    case .release(let demand): inputs.append(.release(demand))
    case .withdraw(let demand):
      deliveries.withdraw(demand)
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
      let failure = carriers.queue(order, of: id) { desk.isAvailable($0) }
      if let failure { desk.add(failure) }
    case .notice, .accepted, .over, .order, .launch, .notifyUser, .refused, .refusedCommand, .permissions:
      observer?.served(effect, at: instant)
    }
  }

  /// Handles the start or end of a service of a rule.
  func apply(_ input: ServiceInput) {
    connectServices()
    desk.add(input)
  }

  /// The input for the fact `auth.location`, which is the highest authorization of all clients except
  /// policies. Nil when the fact is unchanged, not declared, or set by the input source.
  private var authorizationInput: Input? {
    let vocabulary = governor.vocabulary
    guard let fact = vocabulary.fact("auth.location"), !muted.contains(fact),
      let highest = desk.board.clients.filter({ !$0.isPolicy }).map(\.permissions.location).max(),
      let value = vocabulary.facts[fact].value(from: highest.word), governor.facts.value(fact) != value
    else { return nil }
    return .fact(fact, value)
  }
}
