import StintModel

extension ServiceBoard {
  mutating func ask(_ id: ServiceID, _ request: any ServiceRequest, _ receivers: ServiceInput.Receivers) {
    // One that only waits for what is held makes way.
    if ending.contains(id) { discard(id, .replaced) }
    let service = request.makeService()
    if let objection = objection(to: id, request, service, receivers) {
      effects.append(.refused(id, objection))
      return
    }
    if services[id] != nil {
      rejoin(id, request)
      return
    }
    effects.append(.accepted(id))
    add(StandingService(service: service), as: id)
    guard let context = context(id), var standing = services[id] else { return }
    var outbox = outbox(for: id, standing.service)
    standing.service.begin(context, &outbox)
    services[id] = standing
    perform(outbox, for: id)
  }

  /// A name that is taken: its client may be back for what it left standing.
  private mutating func rejoin(_ id: ServiceID, _ request: any ServiceRequest) {
    guard let context = context(id), var standing = services[id] else { return }
    var outbox = outbox(for: id, standing.service)
    guard standing.service.rejoin(request, context, &outbox) else {
      let sentence = "“\(id.client)” has a “\(id.name)” already; end it or take another name"
      effects.append(.refused(id, ServiceFailure(.duplicate, sentence)))
      return
    }
    services[id] = standing
    if standing.isPersistent { mustRemember = true }
    perform(outbox, for: id)
  }

  /// What speaks against a request, the user's word first, then what is there.
  private func objection(
    to id: ServiceID, _ request: any ServiceRequest, _ service: any Service,
    _ receivers: ServiceInput.Receivers
  ) -> ServiceFailure? {
    guard let client = standing(of: id.client), client.isAttached else {
      return ServiceFailure(.detached, "“\(id.client)” is not attached; attach it first")
    }
    guard receivers == .both else {
      return ServiceFailure(
        .unheard,
        "“\(id.name)” has no receiver for \(receivers.contains(.updates) ? "failures" : "updates"); give it one"
      )
    }
    if let objection = request.objection { return objection }
    if client.authorization < service.needs {
      return Self.lacking(service.needs, client.authorization)
    }
    if !service.devices.isEmpty, !service.devices.contains(where: surroundings.isAvailable) {
      let names = service.devices.map(\.path).joined(separator: " or ")
      return ServiceFailure(.unavailable, "there is no \(names)")
    }
    if services[id] == nil, services(of: id.client).count >= Self.mostServices {
      return ServiceFailure(.full, "“\(id.client)” has \(Self.mostServices) services; end one first")
    }
    return nil
  }

  /// How many services of one client may stand.
  static let mostServices = 1024

  mutating func add(_ standing: StandingService, as id: ServiceID) {
    services[id] = standing
    if standing.isPersistent { mustRemember = true }
    order.append(id)
    order.sort()
  }

  /// The client, its lease, or its leaving ends a service.
  mutating func end(_ id: ServiceID, _ reason: ServiceEnd = .ended) {
    // A client that leaves takes nothing any more.
    if reason == .detached, ending.contains(id) {
      discard(id, reason)
      return
    }
    guard !ending.contains(id), var standing = services[id], let context = context(id) else { return }
    var outbox = outbox(for: id, standing.service)
    standing.service.end(context, &outbox)
    services[id] = standing
    perform(outbox, for: id)
    if reason == .ended, let standing = services[id], standing.service.takesWhatIsHeld,
      !standing.demands.isEmpty
    {
      ending.insert(id)
      for demand in standing.demands { effects.append(.release(demand)) }
    } else {
      discard(id, reason)
    }
  }

  /// Ends a service that cannot go on; its client gets the failure once.
  mutating func fail(_ id: ServiceID, _ failure: ServiceFailure) {
    guard services[id] != nil else { return }
    notify(id, failure)
    discard(id, .failed(failure))
  }

  mutating func discard(_ id: ServiceID, _ end: ServiceEnd) {
    guard let standing = services.removeValue(forKey: id) else { return }
    if standing.isPersistent { mustRemember = true }
    order.removeAll { $0 == id }
    ending.remove(id)
    for demand in standing.demands {
      owners[demand] = nil
      effects.append(.release(demand))
    }
    effects.append(.over(id, end))
  }

  /// Does what a service wants, in its order.
  mutating func perform(_ outbox: ServiceOutbox, for id: ServiceID) {
    nextDemand = outbox.nextDemand
    for item in outbox.items {
      switch item {
      case .raise(let demand):
        owners[demand.id] = id
        services[id]?.demands.append(demand.id)
        effects.append(.raise(demand))
      case .release(let demand):
        // What was held for it comes before its end does.
        if owners[demand] == id { effects.append(.release(demand)) }
      case .notice(let notice): notify(id, notice)
      case .order(let order): effects.append(.order(id, order))
      case .launch(let reason): launch(id.client, reason)
      case .tellUser(let sentence): tellUser(id.client, sentence)
      case .wake(let demand): if owners[demand] == id { effects.append(.wake(demand)) }
      case .askUser(let question): askUser(id.client, question)
      case .hear(let demand, let isHeard):
        if owners[demand] == id { effects.append(.hear(demand, isHeard)) }
      case .signal(let signal): effects.append(.say(signal, .boolean(true)))
      case .finish: discard(id, .finished)
      case .fail(let failure): fail(id, failure)
      }
    }
  }

  /// A demand is over.
  mutating func forget(_ demand: DemandID) {
    guard let id = owners.removeValue(forKey: demand) else { return }
    services[id]?.demands.removeAll { $0 == demand }
  }

  /// Shows the user a sentence, once although several services of a client say it now.
  private mutating func tellUser(_ client: ClientID, _ sentence: String) {
    let isSaid = effects.contains { effect in
      if case .tellUser(client, sentence) = effect { true } else { false }
    }
    if !isSaid { effects.append(.tellUser(client, sentence)) }
  }

  private mutating func notify(_ id: ServiceID, _ notice: any ServiceNotice) {
    // A policy hears through facts.
    if leases[id] != nil { return }
    if standing(of: id.client)?.isAttached == true {
      hand(notice, of: id)
    } else if services[id]?.service.outlivesClient == true {
      keep(id, notice)
    } else if let order = notice.consequence {
      // Its client left, and the service with it: no client reads this notice.
      effects.append(.order(id, order))
    }
  }

  /// Keeps a notice until its client is back.
  mutating func keep(_ id: ServiceID, _ notice: any ServiceNotice) {
    mustRemember = true
    guard let lost = kept[id.client, default: NoticeQueue()].append(id, notice) else { return }
    droppedNotices += 1
    if let order = lost.notice.consequence { effects.append(.order(lost.id, order)) }
  }

  /// Tells a client that is there.
  mutating func hand(_ notice: any ServiceNotice, of id: ServiceID) {
    effects.append(.notice(id, notice))
    if let order = notice.consequence { effects.append(.order(id, order)) }
  }

  private mutating func askUser(_ client: ClientID, _ question: String) {
    guard let place = clients.firstIndex(where: { $0.id == client }), !clients[place].wasAsked else { return }
    clients[place].wasAsked = true
    mustRemember = true
    effects.append(.tellUser(client, question))
  }

  mutating func launch(_ client: ClientID, _ reason: LaunchReason) {
    guard standing(of: client)?.isAttached == false, launches[client] == nil else { return }
    launches[client] = PendingLaunch(reason, at: now)
    mustRemember = true
    effects.append(.launch(client, reason))
  }
}

extension ServiceBoard {
  /// Facts that services make together, where a scenario, a site or a manifest declares them: a quantity is the sum of
  /// what they add, and a truth is whether that is more than nothing. They are the signals that last, sorted by path.
  public static let signalPaths = ServiceSignal.allCases.filter { !$0.isPulse }.map(\.rawValue).sorted()

  /// Says what became of the facts that services make together.
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
      guard said[signal] ?? signal.rest != value else { continue }
      said[signal] = value
      effects.append(.say(signal, value))
    }
  }
}
