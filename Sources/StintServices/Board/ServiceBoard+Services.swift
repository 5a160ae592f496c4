import StintModel

extension ServiceBoard {
  mutating func ask(_ id: ServiceID, _ request: any ServiceRequest, _ receivers: ServiceInput.Receivers) {
    // Replace a service that its client has ended and that still waits for held output.
    if ending.contains(id) { discard(id, .replaced) }
    let service = request.makeService()
    if let rejectionReason = rejectionReason(for: id, request, service, receivers) {
      effects.append(.refused(id, rejectionReason))
      return
    }
    if services[id] != nil {
      rejoin(id, request)
      return
    }
    effects.append(.accepted(id))
    add(RunningService(service: service), as: id)
    guard let context = context(id), var running = services[id] else { return }
    var outbox = outbox(for: id, running.service)
    running.service.begin(context, &outbox)
    services[id] = running
    perform(outbox, for: id)
  }

  /// Handles a request under a name that is in use. The client may have returned to a service that is still
  /// running.
  private mutating func rejoin(_ id: ServiceID, _ request: any ServiceRequest) {
    guard let context = context(id), var running = services[id] else { return }
    var outbox = outbox(for: id, running.service)
    guard running.service.rejoin(request, context, &outbox) else {
      let sentence = "“\(id.client)” has a “\(id.name)” already; end it or use another name"
      effects.append(.refused(id, ServiceFailure(.duplicate, sentence)))
      return
    }
    services[id] = running
    if running.isPersistent { needsSave = true }
    perform(outbox, for: id)
  }

  /// Returns the reason to reject a request; nil when the request is accepted. The permission is checked
  /// before the devices.
  private func rejectionReason(
    for id: ServiceID, _ request: any ServiceRequest, _ service: any Service,
    _ receivers: ServiceInput.Receivers
  ) -> ServiceFailure? {
    guard let client = status(of: id.client), client.isAttached else {
      return ServiceFailure(.detached, "“\(id.client)” is not attached; attach it first")
    }
    guard receivers == .both else {
      return ServiceFailure(
        .noReceiver,
        "“\(id.name)” has no receiver for \(receivers.contains(.updates) ? "failures" : "updates"); add one"
      )
    }
    if let rejectionReason = InputBounds.rejectionReason(forName: id.name) {
      return ServiceFailure(.invalid, rejectionReason)
    }
    if let rejectionReason = request.rejectionReason { return rejectionReason }
    if client.authorization < service.needs {
      return Self.lacking(service.needs, client.authorization)
    }
    let candidates = service.candidates(environment.vocabulary.roles)
    if service.role != nil || !candidates.isEmpty, !candidates.contains(where: environment.isAvailable) {
      return ServiceFailure(.unavailable, missingSentence(candidates, service.role))
    }
    if request.needsCarrier, let sentence = carrierSentence { return ServiceFailure(.unavailable, sentence) }
    if services[id] == nil, services(of: id.client).count >= Self.mostServices {
      return ServiceFailure(.full, "“\(id.client)” has \(Self.mostServices) services; end one first")
    }
    return nil
  }

  /// The reason to refuse requests that need a carrier; nil when there are a radio and a carrier.
  private var carrierSentence: String? {
    let roles = environment.vocabulary.roles
    if roles.devices(.transfers).isEmpty {
      return "there is no radio for transfers; add the plugin of a radio"
    }
    return carriesTransfers || !roles.devices(.carrier).isEmpty
      ? nil
      : "nothing carries out the transfers of a session; add a carrier, or give an app the orders (onOrder)"
  }

  /// Returns the sentence for a request none of whose devices is available.
  private func missingSentence(_ candidates: [DeviceID], _ role: DeviceRole?) -> String {
    guard !candidates.isEmpty else { return "no device provides \(role?.provision ?? "this")" }
    let names = candidates.map(\.path).joined(separator: " or ")
    let isKnown = candidates.contains { environment.vocabulary.manifest($0) != nil }
    return isKnown ? "\(names) is not available" : "there is no \(names)"
  }

  /// The largest number of services of one client.
  static let mostServices = 1024

  mutating func add(_ running: RunningService, as id: ServiceID) {
    services[id] = running
    if running.isPersistent { needsSave = true }
    order.append(id)
    order.sort()
    noteInterests()
  }

  /// Ends a service because its client or its rule ended it, or because its client detached or was removed.
  ///
  /// - Parameter isReaderGone: true when no client reads further output; held samples are then not delivered.
  mutating func end(_ id: ServiceID, _ reason: ServiceEnd = .ended, isReaderGone: Bool = false) {
    if isReaderGone, ending.contains(id) {
      discard(id, reason, isReaderGone: true)
      return
    }
    guard !ending.contains(id), var running = services[id], let context = context(id) else { return }
    var outbox = outbox(for: id, running.service)
    running.service.end(context, &outbox)
    services[id] = running
    perform(outbox, for: id)
    if !isReaderGone, let running = services[id], running.service.drainsBeforeEnd, !running.demands.isEmpty {
      ending.insert(id)
      for demand in running.demands { effects.append(.release(demand)) }
    } else {
      discard(id, reason, isReaderGone: isReaderGone)
    }
  }

  /// Ends a service that cannot continue; its client gets the failure once.
  mutating func fail(_ id: ServiceID, _ failure: ServiceFailure) {
    guard services[id] != nil else { return }
    notify(id, failure)
    discard(id, .failed(failure))
  }

  /// Removes a service at once, releases its demands and reports its end.
  mutating func discard(_ id: ServiceID, _ end: ServiceEnd, isReaderGone: Bool = false) {
    guard let running = services.removeValue(forKey: id) else { return }
    if running.isPersistent { needsSave = true }
    order.removeAll { $0 == id }
    noteInterests()
    ending.remove(id)
    for demand in running.demands {
      owners[demand] = nil
      effects.append(isReaderGone || end.revokes ? .withdraw(demand) : .release(demand))
    }
    effects.append(.over(id, end))
  }

  /// Carries out the requests of a service in order.
  mutating func perform(_ outbox: ServiceOutbox, for id: ServiceID) {
    nextDemand = outbox.nextDemand
    for item in outbox.items {
      switch item {
      case .raise(let demand):
        // The governor refuses such a demand, and the service would wait for its samples for ever.
        if let reason = demand.wants.rejectionReason {
          fail(id, ServiceFailure(.invalid, reason))
          return
        }
        owners[demand.id] = id
        services[id]?.demands.append(demand.id)
        effects.append(.raise(demand))
      case .release(let demand):
        // Keep the owner until the demand ends: the held samples of the demand arrive before its end.
        if owners[demand] == id { effects.append(.release(demand)) }
      case .notice(let notice): notify(id, notice)
      case .order(let order): effects.append(.order(id, order))
      case .launch(let reason): launch(id.client, reason)
      case .notifyUser(let sentence): notifyUser(id.client, sentence)
      case .wake(let demand): if owners[demand] == id { effects.append(.wake(demand)) }
      case .askUser(let question): askUser(id.client, question)
      case .setHasConsumer(let demand, let hasConsumer):
        if owners[demand] == id { effects.append(.setHasConsumer(demand, hasConsumer)) }
      case .signal(let signal): effects.append(.publishSignal(signal, .boolean(true)))
      case .finish: discard(id, .finished)
      case .fail(let failure): fail(id, failure)
      }
    }
  }

  /// Removes a demand that has ended.
  mutating func forget(_ demand: DemandID) {
    guard let id = owners.removeValue(forKey: demand) else { return }
    services[id]?.demands.removeAll { $0 == demand }
  }

  /// Shows the user a sentence on behalf of a client. Equal sentences for one client are shown once per step.
  private mutating func notifyUser(_ client: ClientID, _ sentence: String) {
    let isShown = effects.contains { effect in
      if case .notifyUser(client, sentence) = effect { true } else { false }
    }
    if !isShown { effects.append(.notifyUser(client, sentence)) }
  }

  private mutating func notify(_ id: ServiceID, _ notice: any ServiceNotice) {
    // Policies receive results as facts, not as notices.
    if leases[id] != nil { return }
    if status(of: id.client)?.isAttached == true {
      deliver(notice, of: id)
    } else if services[id]?.service.outlivesClient == true {
      keep(id, notice)
    } else if let order = notice.consequence {
      // The service ends because its client detached. No client reads this notice, so carry out its order
      // now.
      effects.append(.order(id, order))
    }
  }

  /// Queues a notice until its client is back.
  mutating func keep(_ id: ServiceID, _ notice: any ServiceNotice) {
    needsSave = true
    guard let lost = kept[id.client, default: NoticeQueue()].append(id, notice) else { return }
    droppedNotices += 1
    if let order = lost.notice.consequence { effects.append(.order(lost.id, order)) }
  }

  /// Delivers a notice to an attached client.
  mutating func deliver(_ notice: any ServiceNotice, of id: ServiceID) {
    effects.append(.notice(id, notice))
  }

  private mutating func askUser(_ client: ClientID, _ question: String) {
    guard let place = clients.firstIndex(where: { $0.id == client }), !clients[place].wasAsked else { return }
    clients[place].wasAsked = true
    needsSave = true
    effects.append(.notifyUser(client, question))
  }

  mutating func launch(_ client: ClientID, _ reason: LaunchReason) {
    guard status(of: client)?.isAttached == false, launches[client] == nil else { return }
    launches[client] = PendingLaunch(reason, at: now)
    needsSave = true
    effects.append(.launch(client, reason))
  }
}

extension ServiceBoard {
  /// The lasting signals, sorted by path. Scenarios, sites and manifests may declare them as facts.
  ///
  /// A quantity is the sum of the values of all services. A Boolean is true when that sum is above 0.
  public static let signalPaths = ServiceSignal.allCases.filter { !$0.isPulse }.map(\.rawValue).sorted()

  /// Publishes the lasting signals whose values have changed.
  mutating func publishSignals() {
    for (path, schema) in declaredSignals {
      let sum = services.values.reduce(0) { $0 + ($1.service.signals[path] ?? 0) }
      let value: FactValue
      switch schema.type {
      case .boolean: value = .boolean(sum > 0)
      case .quantity: value = .number(sum)
      case .symbol: continue
      }
      guard signalled[path] != value else { continue }
      signalled[path] = value
      effects.append(.publish(path, value))
    }
    for signal in ServiceSignal.allCases where !signal.isPulse {
      let sum = services.values.reduce(0) { $0 + ($1.service.signals[signal.rawValue] ?? 0) }
      let value: FactValue = signal.type == .boolean ? .boolean(sum > 0) : .number(sum)
      guard lastSignals[signal] ?? signal.rest != value else { continue }
      lastSignals[signal] = value
      effects.append(.publishSignal(signal, value))
    }
  }
}
