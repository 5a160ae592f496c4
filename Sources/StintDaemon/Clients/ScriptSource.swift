package import StintGovernor
package import StintModel
import StintRuntime
package import StintServices
package import StintUnits

/// Produces the inputs of a host from the script of a scenario or site.
///
/// Clients of the script make requests to the service board, as all clients do. Only facts reach the governor
/// directly.
package struct ScriptSource: InputSource {
  private var events: ScriptEvents
  private var upcoming: ScriptEvent?
  /// The requests to make again after a restart, in order.
  private var requestsToRepeat: [ServiceInput] = []
  /// The instant at which the requests are made again.
  private var resumed = Instant.epoch
  /// The inputs of services that `drain()` found and that `drainServiceInputs()` has not returned yet.
  private var serviceInputs: [ServiceInput] = []
  /// The clients that are not attached yet, by name. A client attaches with its first request.
  private var unattached: [ClientID: ScenarioClient]
  private let vocabulary: Vocabulary
  /// True when a plugin publishes the battery level. The script then produces no input for `battery.level`.
  private let batteryPublishes: Bool

  package init(_ script: ClientScript, vocabulary: Vocabulary) {
    events = ScriptEvents(script)
    unattached = Dictionary(script.clients.map { ($0.name, $0) }) { first, _ in first }
    let assignsPermission = script.changes.contains { change in
      change.values.contains { $0.path == "auth.location" }
    }
    assigned = assignsPermission ? Set([vocabulary.fact("auth.location")].compactMap(\.self)) : []
    self.vocabulary = vocabulary
    batteryPublishes = vocabulary.schema("battery.level")?.device.flatMap(vocabulary.device) != nil
    upcoming = events.next()
  }

  /// The index of `auth.location` if the script sets this fact. Otherwise the set is empty, and the fact
  /// follows from the permissions of the clients.
  package let assigned: Set<Int>

  package var nextInstant: Instant? { requestsToRepeat.isEmpty ? upcoming?.at : resumed }

  package mutating func drain() -> [Input] {
    if !requestsToRepeat.isEmpty {
      for request in requestsToRepeat { append(request) }
      requestsToRepeat = []
      return []
    }
    guard let instant = upcoming?.at else { return [] }
    var inputs: [Input] = []
    while let event = upcoming, event.at == instant {
      switch event.action {
      case .set(let assignment): if let input = fact(assignment) { inputs.append(input) }
      case let action: if let request = Self.serviceInput(of: action) { append(request) }
      }
      upcoming = events.next()
    }
    return inputs
  }

  package mutating func drainServiceInputs() -> [ServiceInput] {
    defer { serviceInputs = [] }
    return serviceInputs
  }

  /// Appends an input of a client. The first request of a client follows an input that attaches the client.
  private mutating func append(_ input: ServiceInput) {
    if case .ask(let id, _, _) = input, let client = unattached.removeValue(forKey: id.client) {
      serviceInputs.append(
        .attach(id.client, permissions: client.permissions, mayBackground: client.mayBackground))
    }
    serviceInputs.append(input)
  }

  /// Continues after a restart. The requests that the script has not ended are made again at `instant`.
  /// Requests for a single fix are not made again. Transfers are made again only if their demands are in
  /// `activeDemands`; the other transfers were complete.
  package mutating func resume(at instant: Instant, activeDemands: Set<DemandID>) {
    while let event = upcoming, event.at <= instant {
      switch event.action {
      case .raise(let demand) where demand.wants.transfer != nil && !activeDemands.contains(demand.id): break
      // A request for a single fix ends with its daemon, so it is not repeated.
      case .ask(_, let service) where service.request is FixRequest: break
      case let action:
        switch Self.serviceInput(of: action) {
        case .end(let id):
          // The script ended the request while no daemon ran.
          requestsToRepeat.removeAll { if case .ask(id, _, _) = $0 { true } else { false } }
        case let request?: requestsToRepeat.append(request)
        case nil: break
        }
      }
      upcoming = events.next()
    }
    resumed = instant
  }

  /// Returns the input of the board for an action of a client. Nil for a change of a fact, and for a request
  /// that is not a `ServiceRequest`.
  private static func serviceInput(of action: ScriptEvent.Action) -> ServiceInput? {
    switch action {
    case .set: nil
    case .raise(let demand): .samples(demand)
    case .release(let client, let demand): .end(SampleRequest.id(client, demand))
    case .ask(let client, let service):
      (service.request as? any ServiceRequest).map {
        .ask(ServiceID(client, service.name), $0, receivers: .file)
      }
    case .end(let client, let name): .end(ServiceID(client, name))
    }
  }

  private func fact(_ assignment: FactAssignment) -> Input? {
    guard !(batteryPublishes && assignment.path == "battery.level"),
      let value = vocabulary.declaredSchema(assignment.path)?.value(from: assignment.text)
    else { return nil }
    if let fact = vocabulary.fact(assignment.path) { return .fact(fact, value) }
    return vocabulary.family(of: assignment.path).map { .keyed(family: $0.number, key: $0.key, value) }
  }

  /// Checks the facts, devices, services and attributes in a script.
  ///
  /// - Parameters:
  ///   - others: further devices that the file names.
  ///   - place: the file or the name of the scenario, for the error.
  /// - Throws: a problem that lists everything that is invalid or not in the vocabulary.
  package static func check(
    _ script: ClientScript, naming others: [DeviceID] = [], _ vocabulary: Vocabulary, place: String
  ) throws(Problem) {
    let facts = script.changes.flatMap(\.values).compactMap { problem(of: $0, vocabulary) }
    let wanted = script.clients.flatMap { client in
      client.demands.map(\.target) + client.transfers.map(\.target)
        + client.services.compactMap { ($0.request as? RawSamples)?.target }
    }
    let unknown = Set(wanted + others).sorted().filter { vocabulary.device($0) == nil }
    let services = script.clients.flatMap { client in
      client.services.compactMap { Self.problem(of: $0, vocabulary) }
    }
    let attributes = script.clients.flatMap(\.demands).flatMap { demand in
      vocabulary.manifest(demand.target)?.refusals(of: demand.wants.attributes) ?? []
    }
    let problems =
      facts.map(\.text) + unknown.map { "no device is called “\($0)”" } + services + attributes
    guard !problems.isEmpty else { return }
    let remedy =
      if !unknown.isEmpty {
        "the devices are \(vocabulary.manifests.map(\.device.path).joined(separator: ", "))"
      } else if facts.contains(where: \.isUnknown) {
        "add each fact that clients publish to “declares”"
      } else {
        "correct the file"
      }
    throw Problem(.content, place: place, cause: problems.joined(separator: "; "), remedy: remedy)
  }

  /// Returns the reason to reject a service of a client; nil when the service is valid.
  private static func problem(of service: ScenarioService, _ vocabulary: Vocabulary) -> String? {
    guard let request = service.request as? any ServiceRequest else {
      return "service “\(service.name)”: no service handles requests of this kind"
    }
    let reason = request.rejectionReason ?? request.rejectionReason(on: vocabulary)
    return reason.map { "service “\(service.name)”: \($0.sentence)" }
  }

  private static func problem(
    of assignment: FactAssignment, _ vocabulary: Vocabulary
  ) -> (text: String, isUnknown: Bool)? {
    guard let schema = vocabulary.declaredSchema(assignment.path) else {
      return ("unknown fact “\(assignment.path)”", true)
    }
    guard schema.value(from: assignment.text) == nil else { return nil }
    return ("expected \(schema.type.name) for \(assignment.path), found “\(assignment.text)”", false)
  }
}
