import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

@Suite struct ScriptEventsTests {
  private func scenario(
    clients: [ScenarioClient], changes: [FactChange] = [], duration: TimeSpan = .hours(1)
  ) -> Scenario {
    Scenario(
      name: "test", start: Laboratory.start, duration: duration, origin: Laboratory.origin, clients: clients,
      changes: changes)
  }

  /// Returns the events as strings, each with its second and its action.
  private func lines(_ scenario: Scenario) -> [String] {
    ScriptEvents(scenario.script).map { event in
      let seconds = Quantity.number((event.at - Laboratory.start).seconds)
      switch event.action {
      case .set(let assignment): return "\(seconds) \(assignment.path)=\(assignment.text)"
      case .raise(let demand): return "\(seconds) \(demand.client) raises \(demand.id) on \(demand.target)"
      case .release(_, let id): return "\(seconds) releases \(id)"
      case .ask(let client, let service): return "\(seconds) \(client) asks for \(service.name)"
      case .end(let client, let name): return "\(seconds) \(client) ends \(name)"
      }
    }
  }

  @Test("services begin and end at their times; times at or after the scenario's end have no effect")
  func services() {
    let services = [
      ScenarioService(name: "way", request: LocationUpdates(), until: .seconds(90)),
      ScenarioService(name: "stays", request: VisitsRequest(), from: .seconds(60), until: .hours(2)),
      ScenarioService(name: "never", request: VisitsRequest(), from: .hours(1)),
    ]
    #expect(
      lines(scenario(clients: [ScenarioClient(name: "a", services: services)]))
        == ["0 a asks for way", "60 a asks for stays", "90 a ends way"])
  }

  @Test(
    "events are sorted by time; at one instant, facts precede the other events, which keep the file order")
  func order() {
    let clients = [
      ScenarioClient(
        name: "b",
        demands: [
          ScenarioDemand(
            target: "location.gnss", wants: DemandSettings(), from: .seconds(5), until: .seconds(20)),
          ScenarioDemand(target: "location.cell", wants: DemandSettings()),
        ]),
      ScenarioClient(
        name: "a",
        transfers: [
          ScenarioTransfers(
            target: "radio.cellular", transfer: Transfer(bytesUp: 1, bytesDown: 0), first: .seconds(5),
            every: .seconds(10), count: 3)
        ]),
    ]
    let changes = [
      FactChange(
        at: .seconds(5),
        values: [
          FactAssignment(path: "screen.on", text: "true"),
          FactAssignment(path: "app.state", text: "foreground"),
        ]),
      FactChange(at: .zero, values: [FactAssignment(path: "screen.on", text: "false")]),
    ]
    #expect(
      lines(scenario(clients: clients, changes: changes)) == [
        "0 screen.on=false", "0 b raises #1 on location.cell", "5 screen.on=true", "5 app.state=foreground",
        "5 b raises #2 on location.gnss", "5 a raises #3 on radio.cellular",
        "15 a raises #4 on radio.cellular",
        "20 releases #2", "25 a raises #5 on radio.cellular",
      ])
  }

  @Test("transfers without a count repeat to the scenario's end; a transfer without a period occurs once")
  func series() {
    let endless = ScenarioTransfers(
      target: "radio.cellular", transfer: Transfer(bytesUp: 1, bytesDown: 0), first: .minutes(1),
      every: .minutes(1))
    let single = ScenarioTransfers(
      target: "radio.wifi", transfer: Transfer(bytesUp: 1, bytesDown: 0), first: .minutes(2))
    let client = ScenarioClient(name: "a", transfers: [endless, single])
    let all = lines(scenario(clients: [client]))
    #expect(all.count == 60, "expected 59 cellular messages before the end of the hour, and one on Wi-Fi")
    #expect(all.count { $0.hasSuffix("radio.wifi") } == 1)
  }

  @Test("the demand of a transfer contains its size and deadline")
  func transferDemand() {
    let transfer = Transfer(bytesUp: 20_000, bytesDown: 5, deadline: .minutes(30))
    let client = ScenarioClient(
      name: "a", transfers: [ScenarioTransfers(target: "radio.cellular", transfer: transfer, first: .zero)])
    var script = ScriptEvents(scenario(clients: [client]).script)
    guard case .raise(let demand)? = script.next()?.action else {
      Issue.record("no demand")
      return
    }
    #expect(demand.wants == DemandSettings(transfer: transfer))
    #expect(script.next() == nil && script.next() == nil)
  }

  @Test("more than 170 000 events are in the order of time") func manyEvents() {
    let clients = (0..<50).map { number in
      ScenarioClient(
        name: ClientID("client-\(number)"),
        transfers: [
          ScenarioTransfers(
            target: "radio.cellular", transfer: Transfer(bytesUp: 1, bytesDown: 0),
            first: .milliseconds(Int64(number * 37 % 11)), every: .milliseconds(Int64(1000 + number)))
        ])
    }
    var last = Laboratory.start
    var count = 0
    for event in ScriptEvents(scenario(clients: clients).script) {
      #expect(event.at >= last)
      last = event.at
      count += 1
    }
    #expect(count > 170_000)
  }
}
