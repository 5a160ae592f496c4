import StintModel
public import StintServices

/// A host app's place on the bus.
public struct Client: Sendable {
  /// What the user allows the app.
  public enum Authorization: Hashable, Sendable {
    /// The user has said no.
    case denied
    /// Nothing yet: every demand fails.
    case undecided
    /// While the app is in front, or goes on with what it began there.
    case whenInUse
    /// At any time.
    case always
  }

  public let name: String
  let bus: Bus

  /// Holds a demand for as long as the closure runs; leaving it ends the demand, whatever the way out.
  ///
  /// The batches end with a `BusError` in the step in which permission is withdrawn or the client leaves.
  ///
  /// - Throws: what the closure throws, and `BusError` when the demand cannot be made: `notAuthorized`, `detached`,
  ///   `closed`, `noSuchDevice`.
  public func withDemand<Result: Sendable>(
    _ request: DemandRequest, _ body: (Batches) async throws -> Result
  ) async throws -> Result {
    let stream = try await bus.open(request, for: name)
    do {
      let result = try await body(stream.batches)
      await bus.end(stream)
      return result
    } catch {
      await bus.end(stream)
      throw error
    }
  }
}

extension Client {
  /// Asks for something that goes on, under a name of the client's own, and hands its notices to the closure.
  ///
  /// Leaving the closure ends the service, whatever the way out; one that outlives its client is asked for with
  /// `ask(_:for:)`. Throws what the closure throws, and `BusError` when the request is refused.
  public func withService<Result: Sendable>(
    _ name: String, _ request: some ServiceRequest, _ body: (Notices) async throws -> Result
  ) async throws -> Result {
    let notices = try await ask(name, for: request)
    do {
      let result = try await body(notices)
      await end(name)
      return result
    } catch {
      await end(name)
      throw error
    }
  }

  /// Asks for something that goes on until `end(_:)`, beyond this process if it is such a service.
  public func ask(_ name: String, for request: some ServiceRequest) async throws(BusError) -> Notices {
    try await bus.ask(ServiceID(ClientID(self.name), name), request)
  }

  /// The notices of a service that was asked for before this process came; ended already once the bus is closed.
  public func notices(of name: String) async -> Notices {
    await bus.notices(of: ServiceID(ClientID(self.name), name))
  }

  /// Tells a standing service something; does nothing once the client left or the bus is closed.
  public func send(_ name: String, _ command: some ServiceCommand) async {
    await bus.serve(.command(ServiceID(ClientID(self.name), name), command))
  }

  /// Ends a service; once more is harmless.
  public func end(_ name: String) async { await bus.end(ServiceID(ClientID(self.name), name)) }

  /// Sets what the user allows the app to do; it replaces the decision before.
  public func authorize(_ authorization: Authorization) async {
    await bus.serve(.authorize(ClientID(name), authorization.status))
  }

  /// Publishes a fact that was declared when the bus was opened; policies have reacted when this returns.
  ///
  /// The value holds until any client publishes the fact again, and becomes unknown when this client
  /// detaches. Throws `BusError` when the fact is not declared, when the value has another type or is out of
  /// range, and when the client is gone.
  public func publish(_ path: String, _ value: AppFact.Value) async throws(BusError) {
    try await bus.publish(path, value, by: name)
  }

  /// The app goes: its leases end, what it published is unknown, and what outlives it goes on.
  public func detach() async { await bus.detach(name) }
}

extension Client.Authorization {
  var status: StintServices.Authorization {
    switch self {
    case .denied: .denied
    case .undecided: .undecided
    case .whenInUse: .whenInUse
    case .always: .always
    }
  }
}
