import StintPluginKit
import StintUnits

/// Handles received messages. The functions are called under the lock.
extension DBusConnection {
  func handle(_ message: MessageHandle, _ state: inout State) {
    // A message proves that the bus has accepted this program.
    state.retry.succeeded()
    switch message.kind {
    case .reply, .error: handleReply(message, &state)
    case .signal: handleSignal(message, &state)
    case .call: handleCall(message, &state)
    case nil: break
    }
  }

  private func handleReply(_ message: MessageHandle, _ state: inout State) {
    // A reply after the time limit of its call has no entry.
    guard let cookie = message.replyCookie, let entry = state.calls.remove(cookie) else { return }
    let result: Result<[DBusValue], Problem>
    if message.kind == .error {
      let (name, sentence) = message.error
      result = .failure(.answered(entry.place, name, sentence))
    } else {
      result = values(of: message, at: entry.place)
    }
    finish(entry.purpose, result, &state)
  }

  /// Processes the result of a call according to the purpose of the call.
  func finish(
    _ purpose: CallTable.Purpose, _ result: Result<[DBusValue], Problem>, _ state: inout State
  ) {
    switch purpose {
    case .reply(let handler): state.actions.append { handler(result) }
    case .owner(let name):
      // The bus answers with an error when the name has no owner.
      var owner: String?
      if case .success(let values) = result { owner = values.first?.string }
      setOwner(name, owner, &state)
    case .request(let name):
      var reached = DBusNameState.lost
      if case .success(let values) = result {
        // 1: owned, 2: in the queue, 3: taken, 4: already owned.
        reached = [1: .owned, 2: .queued, 3: .taken, 4: .owned][values.first?.integer ?? 0] ?? .lost
      }
      setName(name, reached, &state)
    case .rule(let number):
      guard case .failure(let problem) = result, let handler = state.subscriptions.handler(number) else {
        return
      }
      state.actions.append { handler(.failure(problem)) }
    case .none: break
    }
  }

  func setOwner(_ name: String, _ owner: String?, _ state: inout State) {
    for handler in state.owners.set(name, owner) { state.actions.append { handler(owner) } }
  }

  private func setName(_ name: String, _ reached: DBusNameState, _ state: inout State) {
    guard let handler = state.names.set(name, reached) else { return }
    state.actions.append { handler(reached) }
  }

  private func handleSignal(_ message: MessageHandle, _ state: inout State) {
    let (sender, path, interface, member) = (message.sender, message.path, message.interface, message.member)
    if sender == DBusTarget.bus.service { handleBusSignal(message, member, &state) }
    let owners = state.owners
    let wanted = state.subscriptions.entries.filter {
      $0.match.accepts(
        sender: sender, path: path, interface: interface, member: member, owner: owners.owner)
    }
    guard !wanted.isEmpty else { return }
    switch values(of: message, at: "\(interface).\(member)") {
    case .success(let values):
      let signal = DBusMessage(
        sender: sender, path: path, interface: interface, member: member, values: values)
      for entry in wanted where entry.match.accepts(values) {
        state.actions.append { entry.handler(.success(signal)) }
      }
    case .failure(let problem):
      for entry in wanted { state.actions.append { entry.handler(.failure(problem)) } }
    }
  }

  /// Handles the signals of the bus itself. No other program can send with the name of the bus.
  private func handleBusSignal(_ message: MessageHandle, _ member: String, _ state: inout State) {
    guard ["NameOwnerChanged", "NameAcquired", "NameLost"].contains(member),
      case .success(let values) = values(of: message, at: member), let name = values.first?.string
    else { return }
    switch member {
    case "NameOwnerChanged":
      guard values.count == 3, let owner = values[2].string else { return }
      setOwner(name, owner.isEmpty ? nil : owner, &state)
    case "NameAcquired": setName(name, .owned, &state)
    default: setName(name, .lost, &state)
    }
    // The values were read once; a subscription to this signal reads them again.
    message.rewind()
  }

  /// Reads the values of a message within the bounds of the connection.
  func values(of message: MessageHandle, at place: String) -> Result<[DBusValue], Problem> {
    var reader = MessageReader(message, limits, place: place)
    do throws(Problem) { return .success(try reader.values()) } catch { return .failure(error) }
  }

  // MARK: Registration at the bus

  /// Registers all watched names, subscriptions and requested names at a new connection to the bus.
  func register(_ state: inout State) {
    // The bus answers in this order. So the owner of a name is known before the owner's first signal arrives.
    for name in state.owners.names { askOwner(name, &state) }
    for entry in state.subscriptions.entries { addMatch(entry.match, .rule(entry.number), &state) }
    for (name, options) in state.names.requests { requestName(name, options, &state) }
  }

  func askOwner(_ name: String, _ state: inout State) {
    addMatch(.owner(of: name), .none, &state)
    start(DBusCall(.bus, "GetNameOwner", [.text(name)]), within: Self.timeout, .owner(name), &state)
  }

  func addMatch(_ match: DBusMatch, _ purpose: CallTable.Purpose, _ state: inout State) {
    start(DBusCall(.bus, "AddMatch", [.text(match.rule)]), within: Self.timeout, purpose, &state)
  }

  func removeMatch(_ match: DBusMatch, _ state: inout State) {
    guard state.bus != nil else { return }
    start(DBusCall(.bus, "RemoveMatch", [.text(match.rule)]), within: Self.timeout, .none, &state)
  }

  func requestName(_ name: String, _ options: DBusNameOptions, _ state: inout State) {
    let arguments: [DBusValue] = [.text(name), .uint32(options.rawValue)]
    start(DBusCall(.bus, "RequestName", arguments), within: Self.timeout, .request(name), &state)
  }
}
