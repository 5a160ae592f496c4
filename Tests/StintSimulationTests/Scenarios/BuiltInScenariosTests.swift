import StintFormats
import StintModel
import StintSimulation
import StintUnits
import Testing

@Suite struct BuiltInScenariosTests {
  @Test(
    "every built-in scenario is readable and uses only known devices and facts",
    arguments: BuiltInScenarios.names)
  func fits(name: String) throws {
    let scenario = try BuiltInScenarios.scenario(named: name)
    #expect(scenario.name == name && !scenario.title.isEmpty)
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests(), declared: scenario.declares)
    let legs = scenario.legs.map(\.duration).reduce(.zero, +)
    #expect(legs == .zero || legs == scenario.duration, "the legs last \(legs)")
    for device in scenario.devices ?? [] { #expect(vocabulary.device(device) != nil, "\(device)") }
    for event in ScriptEvents(scenario.script) {
      switch event.action {
      case .set(let assignment):
        let schema = try #require(vocabulary.schema(assignment.path), "\(assignment.path)")
        #expect(schema.value(from: assignment.text).map { schema.rejectionReason(for: $0) == nil } == true)
      case .raise(let demand): #expect(vocabulary.device(demand.target) != nil, "\(demand.target)")
      case .release, .ask, .end: break
      }
    }
  }

  @Test("the day-hike scenario has the expected clients, demands and transfers")
  func dayHike() throws {
    let hike = try BuiltInScenarios.scenario(named: "day-hike")
    #expect(hike.duration == .hours(10))
    #expect(hike.clients.map(\.name) == ["trail-app", "step-counter", "mail", "photo-backup"])
    let street = hike.legs.filter { $0.sky == .street }.map(\.duration).reduce(.zero, +)
    #expect(street <= .minutes(5))
    let indoors = hike.legs.filter { $0.sky == .indoors && !$0.hasWiFi }.map(\.duration)
    #expect(indoors == [.hours(1)])
    #expect(hike.clients[0].demands[0].wants.accuracy == 10)
    #expect(hike.clients[0].demands[0].wants.period == .seconds(1))
    #expect(hike.clients[1].demands[0].wants.period == .milliseconds(20))
    let raised = ScriptEvents(hike.script).count { event in
      if case .raise(let demand) = event.action { demand.wants.transfer != nil } else { false }
    }
    #expect(raised == 60 + 10)
  }

  @Test("N01: the scenario sixty-messages has sixty messages of 20 kB") func sixtyMessages() throws {
    let scenario = try BuiltInScenarios.scenario(named: "sixty-messages")
    let demands = ScriptEvents(scenario.script).compactMap { event -> Demand? in
      if case .raise(let demand) = event.action { demand } else { nil }
    }
    #expect(demands.count == 60)
    #expect(
      demands.allSatisfy { $0.wants.transfer?.bytes == 20_000 && $0.wants.transfer?.deadline == .hours(2) })
  }

  @Test("the quiet scenario has no events")
  func quiet() throws {
    var script = ScriptEvents(try BuiltInScenarios.scenario(named: "quiet").script)
    #expect(script.next() == nil)
  }

  @Test("the error for an unknown scenario lists the existing names")
  func unknownName() {
    let error = #expect(throws: Problem.self) { try BuiltInScenarios.scenario(named: "day-hiek") }
    #expect(error?.description.contains("day-hike, quiet") == true)
  }
}
