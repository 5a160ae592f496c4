package import StintGovernor
package import StintModel
import StintRuntime
package import StintServices
import StintSimulation
package import StintUnits

/// The inputs of a host from the script of a scenario.
package struct ScenarioSource: InputSource {
  private var script: ScenarioScript
  private var upcoming: ScenarioEvent?
  /// The demands to raise again after a restart.
  private var demandsToRaise: [Input] = []
  /// The instant at which the demands are raised again.
  private var resumed = Instant.epoch
  /// The service requests that `drain()` found and that `drainServiceInputs()` has not returned yet.
  private var serviceInputs: [ServiceInput] = []
  /// Clients that are already attached. A client is attached with its first service request.
  private var attached: Set<ClientID> = []
  /// Service requests to repeat after a restart.
  private var servicesToRepeat: [(client: ClientID, service: ScenarioService)] = []
  private let vocabulary: Vocabulary
  /// True when a battery plugin publishes the level; the scenario then sets only its initial value.
  private let batteryPublishes: Bool

  package init(_ scenario: Scenario, vocabulary: Vocabulary) {
    script = ScenarioScript(scenario)
    self.vocabulary = vocabulary
    batteryPublishes = vocabulary.device("power.battery") != nil
    upcoming = script.next()
  }

  package var nextInstant: Instant? {
    demandsToRaise.isEmpty && servicesToRepeat.isEmpty ? upcoming?.at : resumed
  }

  package mutating func drain() -> [Input] {
    if !demandsToRaise.isEmpty || !servicesToRepeat.isEmpty {
      for (client, service) in servicesToRepeat { ask(service, of: client) }
      servicesToRepeat = []
      defer { demandsToRaise = [] }
      return demandsToRaise
    }
    guard let instant = upcoming?.at else { return [] }
    var inputs: [Input] = []
    while let event = upcoming, event.at == instant {
      if let input = input(of: event.action) { inputs.append(input) }
      upcoming = script.next()
    }
    return inputs
  }

  package mutating func drainServiceInputs() -> [ServiceInput] {
    defer { serviceInputs = [] }
    return serviceInputs
  }

  private mutating func ask(_ service: ScenarioService, of client: ClientID) {
    if attached.insert(client).inserted {
      serviceInputs.append(.attach(client, authorization: .always, mayBackground: true))
    }
    serviceInputs.append(
      .ask(ServiceID(client, service.name), service.request.serviceRequest, receivers: .both))
  }

  /// Continues after a restart. The demands that were active are raised again at `instant`, and the
  /// services that the script has not ended are requested again.
  package mutating func resume(at instant: Instant, activeDemands: Set<DemandID>) {
    while let event = upcoming, event.at <= instant {
      switch event.action {
      case .raise(let demand): if activeDemands.contains(demand.id) { demandsToRaise.append(.raise(demand)) }
      // A demand that was released while no daemon ran is not raised again.
      case .release(let id):
        demandsToRaise.removeAll { if case .raise(let demand) = $0 { demand.id == id } else { false } }
      case .ask(let client, let service):
        // A request for a single fix ends with its daemon, so it is not repeated.
        if case .fix = service.request { break }
        servicesToRepeat.append((client, service))
      case .end(let client, let name):
        servicesToRepeat.removeAll { $0.client == client && $0.service.name == name }
      case .set: break
      }
      upcoming = script.next()
    }
    resumed = instant
  }

  private mutating func input(of action: ScenarioEvent.Action) -> Input? {
    switch action {
    case .ask(let client, let service):
      ask(service, of: client)
      return nil
    case .end(let client, let name):
      serviceInputs.append(.end(ServiceID(client, name)))
      return nil
    case .raise(let demand): return .raise(demand)
    case .release(let id): return .release(id)
    case .set(let assignment):
      guard !(batteryPublishes && assignment.path == "battery.level"),
        let fact = vocabulary.fact(assignment.path),
        let value = vocabulary.facts[fact].value(from: assignment.text)
      else { return nil }
      return .fact(fact, value)
    }
  }

  /// Returns the problems of the scenario's facts, devices and services, in order.
  package static func problems(of scenario: Scenario, vocabulary: Vocabulary) -> [String] {
    var problems: [String] = []
    for assignment in scenario.changes.flatMap(\.values) {
      guard let schema = vocabulary.schema(assignment.path) else {
        problems.append("unknown fact “\(assignment.path)”")
        continue
      }
      if schema.value(from: assignment.text) == nil {
        problems.append("“\(assignment.path)” is \(schema.type.name), found “\(assignment.text)”")
      }
    }
    let wanted = scenario.clients.flatMap { $0.demands.map(\.target) + $0.transfers.map(\.target) }
    let struck = scenario.faults.filter(\.kind.strikesDevice).map(\.device)
    for device in Set(wanted + struck).sorted() where vocabulary.device(device) == nil {
      problems.append("no device is called “\(device)”")
    }
    problems += scenario.clients.flatMap { client in client.services.compactMap(\.problem) }
    return problems
  }
}
