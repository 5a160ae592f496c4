import StintModel
import StintUnits
import Testing

@Suite struct ManifestTests {
  private var good: Manifest {
    Manifest(
      device: "test.sensor", kind: .sensor, title: "A sensor",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(
          name: "on", power: Power(nanowatts: 50_000), perHertz: Power(nanowatts: 9_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
      facts: [FactSchema(path: "test.sensor.level", type: .quantity(.ratio), range: 0...1)])
  }

  @Test("a valid manifest has no faults")
  func sound() { #expect(good.faults().isEmpty) }

  @Test(
    "one check finds negative powers, unreachable states, duplicate names, and a safe state that is on"
  )
  func faults() {
    var bad = good
    bad.states.append(PowerState(name: "burn", power: Power(nanowatts: -1), isOn: true))
    bad.states.append(PowerState(name: "off", power: .zero, isOn: false))
    bad.safe = 1
    bad.facts.append(bad.facts[0])
    let paths = bad.faults().map(\.path)
    #expect(
      paths.sorted() == [
        "facts[1].name", "safe", "states[2]", "states[2].power", "states[3]", "states[3].name",
      ])
  }

  @Test("M12: only sensors may have inputs, which are distinct and not the sensor itself")
  func inputs() {
    var made = good
    made.inputs = ["test.turn", "test.push"]
    #expect(made.faults().isEmpty)
    made.inputs = ["test.turn", "test.sensor", "test.turn"]
    #expect(made.faults().map(\.path) == ["inputs[1]", "inputs[2]"])
    made.kind = .radio
    #expect(made.faults().filter { $0.sentence.contains("only a sensor") }.count == 3)
  }

  @Test("power grows with the rate: 50 uW and 9 uW per hertz give 500 uW at 50 Hz")
  func ratedPower() {
    #expect(good.states[1].power(at: .milliseconds(20)) == Power(nanowatts: 500_000))
    #expect(good.states[1].power(at: nil) == Power(nanowatts: 50_000))
  }

  @Test("X07: numbers out of bounds are faults, each with its path")
  func bounds() {
    var bad = good
    bad.states[1].power = Power(nanowatts: InputBounds.power.nanowatts + 1)
    bad.states[1].perHertz = Power(nanowatts: .max)
    bad.events = [
      PricedEvent(name: "cheap", energy: InputBounds.event),
      PricedEvent(name: "dear", energy: InputBounds.event + Energy(nanojoules: 1)),
    ]
    bad.attributes = [
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 1...1e300),
      AttributeSchema(name: "linger", type: .quantity(.time), fallback: .number(.infinity)),
    ]
    bad.fifo = .max
    bad.ladder = LadderRank(name: "l", rank: 0, serves: .nan)
    bad.facts[0].maxAge = .unlimited
    bad.facts[0].range = -Double.greatestFiniteMagnitude...1
    bad.figures = ["cold_fix": Quantity(1e12, .time), "fine": Quantity(1, .time)]
    #expect(
      bad.faults().map(\.path).sorted() == [
        "attributes[0]", "attributes[1]", "events[1].energy", "facts[0].max_age", "facts[0].range",
        "fifo", "figures.cold_fix", "ladder.serves", "states[1].per_hertz", "states[1].power",
      ])
    var most = good
    most.states[1].power = InputBounds.power
    #expect(most.faults().isEmpty)
  }
}
