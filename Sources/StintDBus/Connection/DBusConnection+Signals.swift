public import StintUnits

extension DBusConnection {
  /// Calls the handler for each signal that the filter accepts, until `end`.
  ///
  /// When the filter names the sender by its well-known name, the connection follows the owner of this name
  /// and accepts signals of the owner only. The handler gets a problem when the bus rejects the filter, when
  /// a signal cannot be read, and when the bus is lost. Signals may then be missing.
  public func subscribe(
    to match: DBusMatch, _ handler: @escaping @Sendable (Result<DBusMessage, Problem>) -> Void
  ) -> DBusSubscription {
    change { state in
      let number = state.nextNumber()
      let name = match.watchedSender
      let isFirst = name.map { state.owners.use($0) } ?? false
      let wasLost = state.bus == nil
      state.subscriptions.add(SubscriptionTable.Entry(number: number, match: match, handler: handler))
      if wasLost {
        connectAgain(&state)
      } else {
        if isFirst, let name { askOwner(name, &state) }
        addMatch(match, .rule(number), &state)
      }
      return DBusSubscription(number: number)
    }
  }

  /// Calls the handler when properties of an object change, until `end`.
  ///
  /// - Parameter handler: receives the changed properties with their values as a dictionary, and the names of
  ///   other changed properties, whose values the signal does not contain. The handler also receives
  ///   problems, as in `subscribe`.
  public func watchProperties(
    of target: DBusTarget,
    _ handler: @escaping @Sendable (Result<(changed: DBusValue, others: [String]), Problem>) -> Void
  ) -> DBusSubscription {
    subscribe(to: .changes(of: target)) { result in
      handler(
        result.flatMap { signal in
          let found = signal.values.map(\.signature).joined()
          guard found == "sa{sv}as" else {
            let place = "\(target.interface) of \(target.path)"
            return .failure(.wrongTypes(place, found: found, expected: "sa{sv}as"))
          }
          return .success((signal.values[1], signal.values[2].elements?.compactMap(\.string) ?? []))
        })
    }
  }

  /// Calls the handler with the connection that owns a name, until `end`.
  ///
  /// The handler is called when the bus has reported the owner, and after each change of the owner. The owner
  /// is nil while no program owns the name, and while the bus is lost.
  public func watchName(
    _ name: String, _ handler: @escaping @Sendable (_ owner: String?) -> Void
  ) -> DBusSubscription {
    change { state in
      let number = state.nextNumber()
      let wasLost = state.bus == nil
      let isFirst = state.owners.use(name)
      if state.owners.watch(name, number, handler) {
        let owner = state.owners.owner(name)
        state.actions.append { handler(owner) }
      }
      if wasLost { connectAgain(&state) } else if isFirst { askOwner(name, &state) }
      return DBusSubscription(number: number)
    }
  }

  /// Ends a subscription, or a watch of a name or of properties. A handler that is already queued on the loop
  /// still runs.
  public func end(_ subscription: DBusSubscription) {
    // The removed handler is released outside the lock: it may own an object that uses the connection.
    let removed = change { state in
      let entry = state.subscriptions.remove(subscription.number)
      if let entry { removeMatch(entry.match, &state) }
      let name = entry?.match.watchedSender ?? state.owners.removeWatch(subscription.number)
      if let name, state.owners.drop(name) { removeMatch(.owner(of: name), &state) }
      return entry
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: Names of this program

  /// Requests a well-known name for this program, until `release`. After the bus was lost, the connection
  /// connects to the bus again and then requests the name again.
  ///
  /// - Parameter handler: receives each new state of the request.
  public func request(
    name: String, _ options: DBusNameOptions = [],
    _ handler: @escaping @Sendable (DBusNameState) -> Void
  ) {
    change { state in
      let wasLost = state.bus == nil
      state.names.add(name, options, handler)
      if wasLost { connectAgain(&state) } else { requestName(name, options, &state) }
    }
  }

  /// Gives a name back to the bus.
  public func release(name: String) {
    change { state in
      guard state.names.remove(name), state.bus != nil else { return }
      start(DBusCall(.bus, "ReleaseName", [.text(name)]), within: Self.timeout, .none, &state)
    }
  }
}
