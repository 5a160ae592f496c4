public import StintModel

/// The clients of the board: attachment, permissions and presence.
extension ServiceBoard {
  /// Returns an operator's decisions about a client; nil without a decision.
  public func decision(about client: ClientID) -> PermissionDecision? { clientTable.decisions[client] }

  /// The decisions of operators, by client.
  public var decisions: [ClientID: PermissionDecision] { clientTable.decisions }

  mutating func attach(_ client: ClientID, _ given: Permissions, _ mayBackground: Bool) {
    clientTable.attach(client, given, mayBackground: mayBackground)
    launchTable.remove(client)
    saveLater()
    // Set the permissions first, because they also apply to the notices that waited for the client.
    setPermissions(clientTable.give(given, to: client), of: client)
    var gone: [ServiceID] = []
    for entry in notices.takeQueue(of: client) {
      emit(.notice(entry.id, aged(entry.notice, of: entry.id)))
      if table[entry.id] == nil { gone.append(entry.id) }
    }
    // A service that is no longer running has no output after these notices, so report its end now.
    for (place, id) in gone.enumerated() where !gone[..<place].contains(id) { emit(.over(id, .finished)) }
    for id in table.of(client) { dispatch(id, .client(isAttached: true)) }
  }

  mutating func detach(_ client: ClientID) {
    setPresence(nil, of: client)
    guard clientTable.detach(client) else { return }
    declared.remove(of: client)
    for id in table.of(client) {
      guard let running = table[id] else { continue }
      if running.service.outlivesClient {
        dispatch(id, .client(isAttached: false))
      } else {
        end(id, .detached, isReaderGone: true)
        for effect in notices.discardWithheld(of: id) { emit(effect) }
      }
    }
  }

  mutating func remove(_ client: ClientID) {
    setPresence(nil, of: client)
    for id in table.of(client) { end(id, isReaderGone: true) }
    clientTable.remove(client)
    declared.remove(of: client)
    saveLater()
    // The client will not read these notices, so their orders are carried out now.
    for (id, order) in notices.removeQueue(of: client) { emit(.order(id, order)) }
    launchTable.remove(client)
  }

  /// Sets the permissions that an app gives its client. An operator's decision about a capability
  /// takes precedence.
  mutating func authorize(_ client: ClientID, _ given: Permissions) {
    setPermissions(clientTable.give(given, to: client), of: client)
  }

  private mutating func setPermissions(_ permissions: Permissions, of client: ClientID) {
    guard clientTable.set(permissions, of: client) else { return }
    saveLater()
    emit(.permissions(client, permissions))
    for id in table.of(client) {
      guard let need = table[id]?.service.need(environment.vocabulary.roles) else { continue }
      dispatch(id, .permissions(permissions))
      guard !permissions.allow(need) else { continue }
      // The client may no longer read the notices that waited for it. Their orders are still carried out.
      for (id, order) in notices.removeQueue(of: id) { emit(.order(id, order)) }
      fail(id, permissions.failure(need))
    }
    beginWaiting()
  }

  /// Records an operator's decision and applies it to the client.
  mutating func decide(_ client: ClientID, _ decision: PermissionDecision?) {
    let permissions = clientTable.decide(decision, for: client)
    saveLater()
    if let permissions { setPermissions(permissions, of: client) }
  }

  /// Sets the presence of an attached client. Publishes `app.state` when the value that follows from the
  /// presences changes.
  mutating func setPresence(_ presence: Presence?, of client: ClientID) {
    guard clientTable.set(presence, of: client) else { return }
    emit(.presence(client, presence))
    if let schema = environment.vocabulary.schema("app.state"),
      let state = clientTable.changedAppState(schema)
    {
      emit(.publish("app.state", state))
    }
    for id in table.of(client) { dispatch(id, .presence(presence)) }
  }
}

extension Permissions {
  /// Returns the failure of a client that lacks a needed permission.
  package func failure(_ need: PermissionNeed) -> ServiceFailure {
    switch need {
    case .nothing: ServiceFailure(.denied, "the user refused permission")
    // A question about a capability is refused only after the user has refused the capability.
    case .question(let capability): Self.failure(.denied, capability.things)
    case .location(let level): locationFailure(level)
    case .preciseLocation(let level):
      location < level
        ? locationFailure(level)
        : ServiceFailure(
          .denied,
          "the user allows only coarse positions; this request needs precise ones. The user must allow them")
    case .motion: Self.failure(motion, Capability.motion.things)
    case .network: Self.failure(network, Capability.network.things)
    }
  }

  private func locationFailure(_ level: Authorization) -> ServiceFailure {
    switch location {
    case .denied: Self.failure(.denied, "the location (“\(level.word)”)")
    case .undecided: Self.failure(.undecided, "the location (“\(level.word)”)")
    case .whenInUse, .always:
      ServiceFailure(
        .denied, "the user allows the location “\(location.word)”; this request needs “\(level.word)”")
    }
  }

  private static func failure(_ consent: Consent, _ things: String) -> ServiceFailure {
    consent == .undecided
      ? ServiceFailure(
        .undecided, "the user has not been asked about \(things) yet. Ask with a request for permission")
      : ServiceFailure(
        .denied, "the user refused \(things), which this request needs. The user must allow it")
  }
}

extension Capability {
  /// The subject of the user's decision, as words for a sentence.
  fileprivate var things: String {
    switch self {
    case .location: "the location"
    case .motion: "motion sensors"
    case .network: "the network"
    }
  }
}
