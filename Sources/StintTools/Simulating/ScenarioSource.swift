import StintGovernor
import StintModel
import StintRuntime
import StintSimulation
import StintUnits

/// A scenario's script as inputs of a host.
struct ScenarioSource: InputSource {
  private var script: ScenarioScript
  private var upcoming: ScenarioEvent?
  /// What is asked again after a restart, and when.
  private var again: [Input] = []
  private var resumed = Instant.epoch
  private let vocabulary: Vocabulary
  /// The battery's own plugin publishes its level; the scenario only tells it where to begin.
  private let batteryPublishes: Bool

  init(_ scenario: Scenario, vocabulary: Vocabulary) {
    script = ScenarioScript(scenario)
    self.vocabulary = vocabulary
    batteryPublishes = vocabulary.device("power.battery") != nil
    upcoming = script.next()
  }

  var nextInstant: Instant? { again.isEmpty ? upcoming?.at : resumed }

  mutating func take() -> [Input] {
    if !again.isEmpty {
      defer { again = [] }
      return again
    }
    guard let instant = upcoming?.at else { return [] }
    var inputs: [Input] = []
    while let event = upcoming, event.at == instant {
      if let input = input(of: event.action) { inputs.append(input) }
      upcoming = script.next()
    }
    return inputs
  }

  /// Goes on after a restart: what clients asked for before is asked again at once, as far as it stood.
  mutating func resume(at instant: Instant, standing: Set<DemandID>) {
    while let event = upcoming, event.at <= instant {
      switch event.action {
      case .raise(let demand): if standing.contains(demand.id) { again.append(.raise(demand)) }
      // Given up while nobody was there to hear it.
      case .release(let id):
        again.removeAll { if case .raise(let demand) = $0 { demand.id == id } else { false } }
      case .set: break
      }
      upcoming = script.next()
    }
    resumed = instant
  }

  private func input(of action: ScenarioEvent.Action) -> Input? {
    switch action {
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

  /// What is wrong with the scenario's facts and devices, as far as the vocabulary knows; in order.
  static func problems(of scenario: Scenario, vocabulary: Vocabulary) -> [String] {
    var problems: [String] = []
    for assignment in scenario.changes.flatMap(\.values) {
      guard let schema = vocabulary.schema(assignment.path) else {
        problems.append("nobody publishes a fact “\(assignment.path)”")
        continue
      }
      if schema.value(from: assignment.text) == nil {
        problems.append("“\(assignment.path)” is \(schema.type.name) and cannot be “\(assignment.text)”")
      }
    }
    let wanted = scenario.clients.flatMap { $0.demands.map(\.target) + $0.transfers.map(\.target) }
    let struck = scenario.faults.filter(\.kind.strikesDevice).map(\.device)
    for device in Set(wanted + struck).sorted() where vocabulary.device(device) == nil {
      problems.append("no device is called “\(device)”")
    }
    return problems
  }
}
