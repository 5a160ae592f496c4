public import StintUnits

extension DBusConnection {
  /// Offers an object to other programs. Replaces an object that was exported at this path before.
  ///
  /// The connection itself answers calls that read or set the properties, or that request the description.
  public func export(_ path: String, _ interfaces: [DBusInterface]) {
    let former = change { state in
      let former = state.objects.set(path, interfaces)
      if state.bus == nil { connectAgain(&state) }
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// Ends the offer of an object.
  public func unexport(_ path: String) {
    let former = change { state in state.objects.set(path, nil) }
    withExtendedLifetime(former) {}
  }

  /// Sends a signal of an object to all programs that have subscribed to the signal.
  ///
  /// - Throws: a problem when the bus is lost, or a name or value is not valid.
  public func emit(
    _ member: String, _ values: [DBusValue] = [], from path: String, _ interface: String
  ) throws(Problem) {
    let result = change { state -> Result<Void, Problem> in
      do throws(Problem) {
        try send(&state) { bus throws(Problem) in
          try MessageHandle.signal(path, interface, member, values, on: bus)
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Announces new values of properties of an object.
  ///
  /// - Parameter others: the names of other changed properties, whose values the receivers must read.
  public func announce(
    _ changed: [(String, DBusValue)], others: [String] = [], of path: String, _ interface: String
  ) throws(Problem) {
    let values: [DBusValue] = [
      .text(interface), .options(changed), .array(others.map { .text($0) }, of: "s"),
    ]
    try emit("PropertiesChanged", values, from: path, "org.freedesktop.DBus.Properties")
  }

  // MARK: Calls from other programs; under the lock

  func handleCall(_ message: MessageHandle, _ state: inout State) {
    guard state.objects.waiting < limits.calls else {
      refuse(message, .refusal("LimitsExceeded", "\(limits.calls) calls already wait for an answer"), &state)
      return
    }
    let (path, interface, member) = (message.path, message.interface, message.member)
    guard let interfaces = state.objects.interfaces(at: path) else {
      guard interface == StandardCalls.introspection, member == "Introspect" else {
        refuse(message, .refusal("UnknownObject", "there is no object \(path)"), &state)
        return
      }
      accept(message, StandardCalls.description([], state.objects.children(of: path)), &state)
      return
    }
    switch values(of: message, at: "\(interface).\(member)") {
    case .failure(let problem): refuse(message, .refusal("InvalidArgs", problem.cause), &state)
    case .success(let values):
      let call = DBusMessage(
        sender: message.sender, path: path, interface: interface, member: member, values: values)
      let calls = StandardCalls(interfaces: interfaces, children: state.objects.children(of: path))
      switch calls.action(for: call, signature: message.signature) {
      case .failure(let failure): refuse(message, failure, &state)
      case .success(let action): accept(message, action, &state)
      }
    }
  }

  private func accept(
    _ message: MessageHandle, _ action: @escaping StandardCalls.Action, _ state: inout State
  ) {
    let number = state.nextNumber()
    state.objects.add(number, message.retained())
    let answer = DBusAnswer(self, number)
    state.actions.append { action(answer) }
  }

  private func refuse(_ message: MessageHandle, _ failure: Problem, _ state: inout State) {
    reply(to: message, .failure(failure), &state)
  }

  /// Answers a call. Does nothing when the bus was lost after the call.
  func answer(_ number: UInt64, _ result: Result<[DBusValue], Problem>) {
    change { state in
      guard let message = state.objects.removeRequest(number) else { return }
      reply(to: message, result, &state)
      message.release()
    }
  }

  private func reply(
    to message: MessageHandle, _ result: Result<[DBusValue], Problem>, _ state: inout State
  ) {
    guard message.expectsReply else { return }
    do throws(Problem) {
      try send(&state) { _ throws(Problem) in
        switch result {
        case .success(let values): try message.reply(values)
        case .failure(let failure): try message.reply(failure)
        }
      }
    } catch {
      // The values of the object are not valid. Without an answer, the caller would wait for its time limit.
      let failure = Problem.refusal("Failed", error.cause)
      do throws(Problem) { try send(&state) { _ throws(Problem) in try message.reply(failure) } } catch {}
    }
  }
}
