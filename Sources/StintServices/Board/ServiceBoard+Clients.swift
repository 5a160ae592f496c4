import StintModel

extension ServiceBoard {
  mutating func attach(_ client: ClientID, _ authorization: Authorization, _ mayBackground: Bool) {
    if let place = clients.firstIndex(where: { $0.id == client }) {
      clients[place].mayBackground = mayBackground
      clients[place].isAttached = true
    } else {
      clients.append(ClientStatus(client, authorization: authorization, mayBackground: mayBackground))
      clients.sort { $0.id < $1.id }
    }
    launches[client] = nil
    needsSave = true
    var gone: [ServiceID] = []
    for entry in kept.removeValue(forKey: client)?.withLoss ?? [] {
      deliver(withAge(entry.notice, of: entry.id), of: entry.id)
      if services[entry.id] == nil { gone.append(entry.id) }
    }
    // The notices of a service that is no longer running were its last output, so its end follows here.
    for (place, id) in gone.enumerated() where !gone[..<place].contains(id) {
      effects.append(.over(id, .finished))
    }
    authorize(client, authorization)
    for id in services(of: client) { dispatch(id, .client(isAttached: true)) }
  }

  mutating func detach(_ client: ClientID) {
    guard let place = clients.firstIndex(where: { $0.id == client }), clients[place].isAttached else {
      return
    }
    setPresence(nil, of: client)
    clients[place].isAttached = false
    for id in services(of: client) {
      guard let running = services[id] else { continue }
      if running.service.outlivesClient {
        dispatch(id, .client(isAttached: false))
      } else {
        end(id, .detached, isReaderGone: true)
        discardWithheldNotices(of: id)
      }
    }
  }

  mutating func remove(_ client: ClientID) {
    setPresence(nil, of: client)
    for id in services(of: client) { end(id, isReaderGone: true) }
    clients.removeAll { $0.id == client }
    needsSave = true
    // The client will not read these notices, so their orders are carried out now.
    for entry in kept.removeValue(forKey: client)?.entries ?? [] {
      if let order = entry.notice.consequence { effects.append(.order(entry.id, order)) }
    }
    launches[client] = nil
  }

  mutating func authorize(_ client: ClientID, _ authorization: Authorization) {
    guard let place = clients.firstIndex(where: { $0.id == client }),
      clients[place].authorization != authorization
    else { return }
    clients[place].authorization = authorization
    needsSave = true
    for id in services(of: client) {
      guard let needs = services[id]?.service.needs else { continue }
      dispatch(id, .authorization(authorization))
      if authorization < needs { fail(id, Self.lacking(needs, authorization)) }
    }
  }

  /// Sets the presence of an attached client. Publishes `app.state` when the value that follows from the
  /// presences changes.
  ///
  /// `app.state` is `foreground` while at least one client is in the foreground, and `background` while all
  /// clients with a presence are in the background. When no client has a presence, `app.state` is unknown.
  mutating func setPresence(_ presence: Presence?, of client: ClientID) {
    guard let place = clients.firstIndex(where: { $0.id == client }), clients[place].isAttached,
      clients[place].presence != presence
    else { return }
    clients[place].presence = presence
    effects.append(.presence(client, presence))
    if let schema = environment.vocabulary.schema("app.state") {
      let presences = clients.compactMap(\.presence)
      let combined = presences.contains(.foreground) ? Presence.foreground : presences.first
      let state = combined.flatMap { schema.value(from: $0.rawValue) } ?? .unknown
      if state != derivedAppState { effects.append(.publish("app.state", state)) }
      derivedAppState = state
    }
    for id in services(of: client) { dispatch(id, .presence(presence)) }
  }

  /// Discards the withheld notices of a service that ended with its client, because no process reads these
  /// notices any longer. Carries out the orders of the notices and reports the end of the service.
  private mutating func discardWithheldNotices(of id: ServiceID) {
    for entry in withheld where entry.id == id {
      if let order = entry.notice?.consequence { effects.append(.order(id, order)) }
      if let end = entry.end { effects.append(.over(id, end)) }
    }
    withheld.removeAll { $0.id == id }
  }

  func services(of client: ClientID) -> [ServiceID] { order.filter { $0.client == client } }

  /// Returns the failure for a client whose authorization is below the needed one.
  static func lacking(_ needs: Authorization, _ has: Authorization) -> ServiceFailure {
    switch has {
    case .denied: ServiceFailure(.denied, "the user refused permission; this service needs “\(needs.word)”")
    case .undecided:
      ServiceFailure(.undecided, "the user has not been asked yet; this service needs “\(needs.word)”")
    default:
      ServiceFailure(.denied, "the user allows “\(has.word)”; this service needs “\(needs.word)”")
    }
  }
}
