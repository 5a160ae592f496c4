import StintModel

extension ServiceBoard {
  mutating func ask(_ id: ServiceID, _ request: any ServiceRequest, _ receivers: ServiceInput.Receivers) {
    // The client may have ended an earlier service with this name, whose devices still hold samples. The new
    // request replaces the earlier service.
    if table.isEnding(id) { discard(id, .replaced) }
    if receivers == .file { declared.add(id, request) }
    let service = request.makeService()
    if let rejectionReason = rejectionReason(for: id, request, service, receivers) {
      declared.failed(id, rejectionReason, at: now)
      emit(.refused(id, rejectionReason))
    } else if table[id] != nil {
      rejoin(id, request)
    } else {
      emit(.accepted(id))
      begin(service, as: id)
    }
  }

  /// Tries the waiting requests of site and scenario files again, and begins the requests that are now
  /// accepted.
  mutating func beginWaiting() {
    for (id, request) in declared.due(at: now) where table[id] == nil {
      let service = request.makeService()
      let reason = rejectionReason(for: id, request, service, .file)
      declared.attempted(id, reason)
      guard reason == nil else { continue }
      emit(.accepted(id))
      begin(service, as: id)
    }
  }

  mutating func begin(_ service: any Service, as id: ServiceID) {
    add(service, as: id)
    run(id) { $0.begin($1, &$2) }
  }

  /// Handles a request under a name that is in use. The service decides whether it accepts the request, for
  /// example from a client that has attached again. If it does not, the board refuses the request.
  private mutating func rejoin(_ id: ServiceID, _ request: any ServiceRequest) {
    if attempt(id, { $0.rejoin(request, $1, &$2) }) {
      if table[id]?.isPersistent == true { saveLater() }
    } else {
      let sentence = "“\(id.client)” already has a request “\(id.name)”; end it or use another name"
      emit(.refused(id, ServiceFailure(.duplicate, sentence)))
    }
  }

  /// Returns the reason to reject a request; nil when the request is accepted. The permission is checked
  /// before the availability of the devices.
  private func rejectionReason(
    for id: ServiceID, _ request: any ServiceRequest, _ service: any Service,
    _ receivers: ServiceInput.Receivers
  ) -> ServiceFailure? {
    guard let client = status(of: id.client), client.isAttached else {
      return ServiceFailure(.detached, "“\(id.client)” is not attached; attach it first")
    }
    guard receivers.contains(.both) else {
      return ServiceFailure(
        .noReceiver,
        "“\(id.name)” has no receiver for \(receivers.contains(.updates) ? "failures" : "updates"); add one"
      )
    }
    if let rejectionReason = InputBounds.rejectionReason(forName: id.name) {
      return ServiceFailure(.invalid, rejectionReason)
    }
    if let rejectionReason = request.rejectionReason { return rejectionReason }
    if let rejectionReason = request.rejectionReason(on: environment.vocabulary) { return rejectionReason }
    let need = service.need(environment.vocabulary.roles)
    if !client.permissions.allow(need) { return client.permissions.failure(need) }
    if request.needsBackground, !client.mayBackground { return .lacksBackground(id.client) }
    let candidates = service.candidates(environment.vocabulary.roles)
    if service.role != nil || !candidates.isEmpty, !candidates.contains(where: environment.isAvailable) {
      return .unavailable(candidates, missingSentence(candidates, service.role))
    }
    if request.needsCarrier, let sentence = carrierSentence { return ServiceFailure(.unavailable, sentence) }
    if table[id] == nil, table.of(id.client).count >= Self.maxServices {
      return ServiceFailure(.full, "“\(id.client)” has \(Self.maxServices) services; end one first")
    }
    return nil
  }

  /// The reason to refuse requests that need a carrier. Nil when there is a radio, and a carrier or an app
  /// carries out the orders.
  private var carrierSentence: String? {
    let roles = environment.vocabulary.roles
    if roles.devices(.transfers).isEmpty {
      return "there is no radio for transfers; add the plugin of a radio"
    }
    return carriesTransfers || !roles.devices(.carrier).isEmpty
      ? nil
      : "nothing carries out the transfers of a session; add a carrier, or let an app carry out the orders "
        + "(onOrder)"
  }

  /// Returns the sentence that refuses a request because none of its devices is available.
  private func missingSentence(_ candidates: [DeviceID], _ role: DeviceRole?) -> String {
    guard !candidates.isEmpty else { return "no device provides \(role?.provision ?? "this")" }
    let names = candidates.map(\.path).joined(separator: " or ")
    let isKnown = candidates.contains { environment.vocabulary.manifest($0) != nil }
    guard isKnown else { return "there is no \(names)" }
    return candidates.count == 1
      ? "\(names) is not available" : "none of \(candidates.map(\.path).joined(separator: ", ")) is available"
  }

  /// The largest number of services of one client.
  static let maxServices = 1024

  /// Ends a service because its client or its rule ended it, or because its client detached or was removed.
  ///
  /// - Parameter isReaderGone: true when no client reads the results any longer; held samples of devices are
  ///   then not delivered.
  mutating func end(_ id: ServiceID, _ reason: ServiceEnd = .ended, isReaderGone: Bool = false) {
    if isReaderGone, table.isEnding(id) {
      discard(id, reason, isReaderGone: true)
      return
    }
    guard !table.isEnding(id), table[id] != nil, status(of: id.client) != nil else { return }
    run(id) { $0.end($1, &$2) }
    if !isReaderGone, let running = table[id], running.service.drainsBeforeEnd, !running.demands.isEmpty {
      drain(id, running.demands)
    } else {
      discard(id, reason, isReaderGone: isReaderGone)
    }
  }

  // MARK: Requests of services

  /// Carries out the requests of a service in order.
  mutating func perform(_ outbox: ServiceOutbox, for id: ServiceID) {
    table.advance(nextDemand: outbox.nextDemand)
    for item in outbox.items {
      switch item {
      case .raise(var demand):
        limitAccuracy(&demand)
        // Without this check, the governor would refuse the demand, and the service would wait for its
        // samples without end.
        if let reason = demand.wants.rejectionReason {
          fail(id, ServiceFailure(.invalid, reason))
          return
        }
        table.add(demand.id, of: id)
        emit(.raise(demand))
      // Keep the owner until the demand ends: the held samples of the demand arrive before its end.
      case .release(let demand): if owner(of: demand) == id { emit(.release(demand)) }
      case .notice(let notice): notify(id, notice)
      case .order(let order): emit(.order(id, order))
      case .launch(let reason): launch(id.client, reason)
      case .notifyUser(let sentence): notifyUser(id.client, sentence)
      case .wake(let demand): if owner(of: demand) == id { emit(.wake(demand)) }
      case .askUser(let capability, let question):
        guard clientTable.markAsked(id.client, capability) else { continue }
        saveLater()
        emit(.notifyUser(id.client, question))
      case .setHasConsumer(let demand, let hasConsumer):
        if owner(of: demand) == id { emit(.setHasConsumer(demand, hasConsumer)) }
      case .signal(let signal): emit(.publishSignal(signal, .boolean(true)))
      // A service that was ended finishes after its held samples were delivered.
      case .finish: discard(id, table.isEnding(id) ? .ended : .finished)
      case .fail(let failure): fail(id, failure)
      }
    }
  }

  /// Prevents a client that may get only coarse positions from making a device measure finer positions.
  private func limitAccuracy(_ demand: inout Demand) {
    guard status(of: demand.client)?.permissions.precision == .coarse,
      environment.vocabulary.roles.devices(.positioning).contains(demand.target)
    else { return }
    demand.wants.accuracy = max(demand.wants.accuracy ?? 0, Precision.coarseRadius)
  }

  /// Ends a service that cannot continue; its client gets the failure once.
  mutating func fail(_ id: ServiceID, _ failure: ServiceFailure) {
    guard table[id] != nil else { return }
    declared.failed(id, failure, at: now)
    notify(id, failure)
    discard(id, .failed(failure))
  }

  private mutating func notify(_ id: ServiceID, _ notice: any ServiceNotice) {
    // Policies receive results as facts, not as notices.
    if ruleServices[id] != nil { return }
    if clientTable.isAttached(id.client) {
      emit(.notice(id, clientTable.permitted(notice, for: id.client)))
    } else if table[id]?.service.outlivesClient == true {
      keep(id, notice)
    } else if let order = notice.consequence {
      // The service ends because its client detached. No client reads this notice, so carry out its
      // order now.
      emit(.order(id, order))
    }
  }
}
