public import StintModel
public import StintServices
public import StintUnits

/// The connection of an app, or of a part of it, to the bus. `Bus.attach` creates it.
public struct Client: Sendable {
  /// The user's decisions about a client.
  public typealias Permissions = StintModel.Permissions
  /// The user's decision about the location.
  public typealias Authorization = StintModel.Authorization
  /// Whether the app of a client is in the foreground.
  public typealias Presence = StintModel.Presence

  /// The name of the client, as given to `Bus.attach`.
  public let name: String
  let bus: Bus
  /// The number of the attachment. Two clients with one name have different numbers.
  let attachment: Int

  var id: ClientID { ClientID(name) }

  /// Holds a demand while the closure runs. The demand ends when the closure returns or throws.
  ///
  /// The batches end with a `Problem` at once when permission is withdrawn or the client detaches.
  ///
  /// - Throws: the error of the closure, and `Problem` when the demand is refused: `undecided` or
  ///   `denied` without the permission, `detached`, `closed`, `noSuchDevice`, `unavailable`, `overloaded`,
  ///   `invalid` for an invalid value or an unknown attribute, or `full` when the client has too many demands
  ///   and services.
  public func withDemand<Result: Sendable>(
    _ request: DemandRequest, _ body: (Batches) async throws -> Result
  ) async throws -> Result {
    let stream = try await bus.serve(self) { (calls) throws(Problem) in
      try await calls.open(request, for: name)
    }
    do {
      let result = try await body(stream.batches)
      await bus.anyCalls.end(stream)
      return result
    } catch {
      await bus.anyCalls.end(stream)
      throw error
    }
  }
}

extension Client {
  /// Runs a service while the closure runs, and passes its notices to the closure.
  ///
  /// The service ends when the closure returns or throws. Use `ask(_:for:)` for a service that outlives its
  /// client. The name of the service is unique within the client.
  ///
  /// - Throws: the error of the closure, and `Problem` when the request is refused, as in `ask(_:for:)`.
  public func withService<Result: Sendable>(
    _ name: String, _ request: some ServiceRequest, _ body: (Notices) async throws -> Result
  ) async throws -> Result {
    let notices = try await ask(name, for: request).expectingReader()
    do {
      let result = try await body(notices)
      await end(name)
      return result
    } catch {
      await end(name)
      throw error
    }
  }

  /// Starts a service that runs until `end(_:)`. Some kinds of services continue after the end of this
  /// process.
  ///
  /// - Throws: `Problem` when the request is refused. Its code is `closed`, `overloaded`, `undecided`,
  ///   `denied`, `noSuchDevice`, `unavailable`, `duplicate`, `invalid`, `detached` or `full`.
  public func ask(_ name: String, for request: some ServiceRequest) async throws(Problem) -> Notices {
    try await bus.serve(self) { (calls) throws(Problem) in
      try await calls.ask(ServiceID(id, name), request)
    }
  }

  /// Returns the notices of a service that an earlier process started. When the bus is closed, or when
  /// another client has got the name of this client, the returned sequence has already ended.
  public func notices(of name: String) async -> Notices {
    do throws(Problem) {
      return try await bus.serve(self) { (calls) in await calls.notices(of: ServiceID(id, name)) }
    } catch {
      return bus.anyCalls.endedNotices(error.code == .closed ? .closed : .detached)
    }
  }

  /// Sends a command to a running service.
  ///
  /// A refused command has no effect: the service keeps its settings, and no notice is lost.
  ///
  /// `TransferCommand.report` for an ended session or task has no effect and does not throw `over`.
  ///
  /// - Throws: `Problem`, whose place is the name of the service. Its code is one of these:
  ///   - `over`: the service, or the task of the command, has ended or was never requested.
  ///   - `invalid`: the command does not fit the kind of the service, or has an invalid number or name.
  ///   - `denied`: the command needs `mayBackground`, which the client does not have.
  ///   - `detached`, `closed` or `overloaded`.
  public func send(_ name: String, _ command: some ServiceCommand) async throws(Problem) {
    try await bus.serve(self) { (calls) throws(Problem) in
      try await calls.send(ServiceID(id, name), command)
    }
  }

  /// Ends a service.
  ///
  /// - Returns: true when the service ran. False when it has already ended or was never requested, and when
  ///   the bus is closed; then the call has no effect.
  @discardableResult
  public func end(_ name: String) async -> Bool {
    await served { await $0.end(ServiceID(id, name)) } ?? false
  }

  /// The user's decisions about this client; nil when the client is detached or the bus is closed.
  public var permissions: Permissions? {
    get async { await served { await $0.permissions(of: id) } ?? nil }
  }

  /// Sets the user's decisions about this client. These decisions replace the previous decisions, and apply
  /// at once: requests that lack a permission end with `denied` or `undecided`, and their devices stop. An
  /// operator's decision with `stint permit` takes precedence for the capabilities that the command names.
  public func authorize(_ permissions: Permissions) async {
    await served { await $0.serve(.authorize(id, permissions)) }
  }

  /// Sets whether the client is in the foreground or in the background. Replaces the previous presence.
  ///
  /// In the background, the client's demands are served only if they were raised with `background: true`. The
  /// presence of a client does not affect the demands of other clients with a presence.
  ///
  /// Policies read `app.state`: `foreground` while a client is in the foreground, `background` while all
  /// clients that set a presence are in the background. A client that never set a presence follows
  /// `app.state`. While no client has a presence, a device, a site or a scenario provides `app.state`. The
  /// call has no effect when the client is detached or the bus is closed.
  public func setPresence(_ presence: Presence) async {
    await served { await $0.serve(.presence(id, presence)) }
  }

  /// Publishes a value of a declared fact. Policies have reacted to the value when this call returns.
  ///
  /// The value is valid until any client publishes the fact again or the value reaches its `maxAge`. The fact
  /// becomes unknown when the client that published this value detaches; earlier values do not return.
  ///
  /// - Throws: `Problem`: `badFact` when the fact is not declared or is `app.state`, or when the value has
  ///   the wrong type or is out of range; `detached`, `closed`, `overloaded`.
  public func publish(_ path: String, _ value: AppFact.Value) async throws(Problem) {
    try await bus.publish(path, value, by: self)
  }

  /// Detaches the client. Its demands end, the facts whose last value it published become unknown, and
  /// services that outlive the client continue. Calls of this client that are in progress end first.
  ///
  /// Later calls with this value never act on another client that gets its name: they throw `detached`, or
  /// have no effect.
  public func detach() async { await bus.detach(self) }

  /// Runs a call; nil when the client is detached or the bus is closed.
  @discardableResult
  private func served<Result: Sendable>(_ call: @Sendable (BusCalls) async -> Result) async -> Result? {
    do throws(Problem) {
      return try await bus.serve(self) { (calls) in await call(calls) }
    } catch {
      return nil
    }
  }
}
