public import StintUnits

extension DBusConnection {
  /// Calls a method of an object.
  ///
  /// - Parameters:
  ///   - limit: the longest time to wait for the reply.
  ///   - handler: receives the values of the reply, or a problem. There is a problem in these cases: the call
  ///     could not be sent; the service returned an error; no readable reply came within the limit; the bus
  ///     is lost.
  public func call(
    _ call: DBusCall, within limit: TimeSpan = DBusConnection.timeout,
    _ handler: @escaping @Sendable (Result<[DBusValue], Problem>) -> Void
  ) {
    change { state in start(call, within: limit, .reply(handler), &state) }
  }

  /// Calls a method and waits for its reply, without blocking the thread. Throws the problem that
  /// `call(_:within:_:)` passes to its handler.
  public func call(
    _ call: DBusCall, within limit: TimeSpan = DBusConnection.timeout
  ) async throws(Problem) -> [DBusValue] {
    try await withCheckedContinuation { continuation in
      self.call(call, within: limit) { continuation.resume(returning: $0) }
    }.get()
  }

  // MARK: Properties

  /// Reads a property of an object.
  public func property(
    _ name: String, of target: DBusTarget, within limit: TimeSpan = DBusConnection.timeout,
    _ handler: @escaping @Sendable (Result<DBusValue, Problem>) -> Void
  ) {
    let question = DBusCall(target.properties, "Get", [.text(target.interface), .text(name)])
    call(question, within: limit) { result in
      handler(result.flatMap { Self.only($0, "v", "\(question)").map(\.content) })
    }
  }

  /// Reads all properties of an interface of an object, as a dictionary with names as keys.
  public func properties(
    of target: DBusTarget, within limit: TimeSpan = DBusConnection.timeout,
    _ handler: @escaping @Sendable (Result<DBusValue, Problem>) -> Void
  ) {
    let question = DBusCall(target.properties, "GetAll", [.text(target.interface)])
    call(question, within: limit) { result in
      handler(result.flatMap { Self.only($0, "a{sv}", "\(question)") })
    }
  }

  /// Sets a property of an object.
  public func setProperty(
    _ name: String, of target: DBusTarget, to value: DBusValue,
    within limit: TimeSpan = DBusConnection.timeout,
    _ handler: @escaping @Sendable (Result<Void, Problem>) -> Void
  ) {
    let arguments: [DBusValue] = [.text(target.interface), .text(name), .variant(value)]
    call(DBusCall(target.properties, "Set", arguments), within: limit) { handler($0.map { _ in }) }
  }

  /// Reads a property and waits for it, without blocking the thread. Throws the problem that
  /// `property(_:of:within:_:)` passes to its handler.
  public func property(
    _ name: String, of target: DBusTarget, within limit: TimeSpan = DBusConnection.timeout
  ) async throws(Problem) -> DBusValue {
    try await withCheckedContinuation { continuation in
      property(name, of: target, within: limit) { continuation.resume(returning: $0) }
    }.get()
  }

  /// Returns the only value of a reply, after a check of its type: a service may answer with wrong types.
  private static func only(
    _ values: [DBusValue], _ signature: String, _ place: String
  ) -> Result<DBusValue, Problem> {
    let found = values.map(\.signature).joined()
    guard let value = values.first, found == signature else {
      return .failure(.wrongTypes(place, found: found, expected: signature))
    }
    return .success(value)
  }
}
