import StintModel

/// The clients of the board: attachment, authorization and presence.
extension ServiceBoard {
  mutating func attach(_ client: ClientID, _ authorization: Authorization, _ mayBackground: Bool) {
    clientTable.attach(client, authorization, mayBackground: mayBackground)
    launchTable.remove(client)
    saveLater()
    var gone: [ServiceID] = []
    for entry in notices.takeQueue(of: client) {
      emit(.notice(entry.id, aged(entry.notice, of: entry.id)))
      if table[entry.id] == nil { gone.append(entry.id) }
    }
    // The notices of a service that is no longer running were its last output, so its end follows here.
    for (place, id) in gone.enumerated() where !gone[..<place].contains(id) { emit(.over(id, .finished)) }
    authorize(client, authorization)
    for id in table.of(client) { dispatch(id, .client(isAttached: true)) }
  }

  mutating func detach(_ client: ClientID) {
    setPresence(nil, of: client)
    guard clientTable.detach(client) else { return }
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
    saveLater()
    // The client will not read these notices, so their orders are carried out now.
    for (id, order) in notices.removeQueue(of: client) { emit(.order(id, order)) }
    launchTable.remove(client)
  }

  mutating func authorize(_ client: ClientID, _ authorization: Authorization) {
    guard clientTable.set(authorization, of: client) else { return }
    saveLater()
    for id in table.of(client) {
      guard let needs = table[id]?.service.needs else { continue }
      dispatch(id, .authorization(authorization))
      if authorization < needs { fail(id, Self.lacking(needs, authorization)) }
    }
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
