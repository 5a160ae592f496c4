import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("The shares of demands with different needs in the energy of a sensor")
struct EnergyDivisionTests {
  /// A sensor whose power depends on its rate and on two attributes.
  private static let sensor = Manifest(
    device: "test.sensor", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(
        name: "on", power: Power(nanowatts: 50_000), perHertz: Power(nanowatts: 9000), isOn: true),
    ],
    transitions: [], verbs: [], attributes: [attribute("gain", 30_000), attribute("filter", 70_000)])

  private static func attribute(_ name: String, _ nanowatts: Int64) -> AttributeSchema {
    var schema = AttributeSchema(name: name, type: .symbol(["low", "high"]))
    schema.cost = .listed([
      .init(.word("low"), power: .zero), .init(.word("high"), power: Power(nanowatts: nanowatts)),
    ])
    return schema
  }

  /// A demand's needs.
  private struct Need {
    var period: TimeSpan?
    var attributes: AttributeValues
  }

  private static func cause(_ needs: [Need]) -> Cause {
    var setting = Setting(isOn: true, period: needs.compactMap(\.period).min())
    let links = needs.enumerated().map { place, need in
      var grant = Grant(status: .served, period: need.period)
      grant.attributes = need.attributes
      setting.attributes = sensor.joined(setting.attributes, need.attributes)
      return Cause.Link(
        client: ClientID("app \(place)"), demand: DemandID(Int64(place)),
        rules: place % 3 == 0 ? [] : ["r\(place)", "s"].map { RuleID(policy: "p", rule: $0) },
        grant: grant)
    }
    return Cause(device: "test.sensor", links: links, setting: setting)
  }

  private static func basis(_ setting: Setting) -> (power: Power, basis: EnergyDivision.Basis) {
    let (state, attributes) = (sensor.states[1], sensor.power(of: setting.attributes))
    let power = state.power(at: setting.period) + attributes
    return (power, EnergyDivision.Basis(of: power, state: state.power, attributes: attributes))
  }

  private static func division(_ cause: Cause) -> EnergyDivision {
    var division = EnergyDivision()
    division.update(for: cause, of: sensor)
    return division
  }

  private static func needs(_ random: inout SeededGenerator) -> [Need] {
    (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let period: TimeSpan? =
        random.once(in: 10)
        ? nil : TimeSpan(nanoseconds: random.pick([10_000_000, 1_000_000_000, 30_000_000_000, 7_654_321]))
      var attributes = AttributeValues()
      for name in ["gain", "filter"] where random.once(in: 2) {
        attributes[name] = .word(random.pick(["low", "high"]))
      }
      return Need(period: period, attributes: attributes)
    }
  }

  @Test("F3: a demand at 1 Hz beside a demand at 100 Hz pays half of its own power, and the sum is exact")
  func fastAndSlow() {
    let plain = AttributeValues()
    let cause = Self.cause([
      Need(period: .seconds(1), attributes: plain),
      Need(period: TimeSpan(nanoseconds: 10_000_000), attributes: plain),
    ])
    let (power, basis) = Self.basis(cause.setting)
    #expect(power == Power(nanowatts: 950_000))
    var ledger = Ledger()
    let amount = power.energy(over: .hours(1), carrying: 0).0
    ledger.charge(amount, device: "test.sensor", cause: cause, divided: Self.division(cause), over: basis)
    let slow = ledger.byClient["app 0"] ?? .zero
    // Half of 50 µW + 9 µW for an hour.
    #expect(abs(slow.joules - 0.5 * 59e-6 * 3600) < 1e-6, "\(slow)")
    #expect(ledger.byClient["app 1"] == amount - slow && ledger.isBalanced)
  }

  @Test("F3: random demands pay exactly the whole amount, and each at most the energy that it needs alone")
  func random() {
    for seed in Trials(10_000, fewest: 100).seeds {
      var random = SeededGenerator(seed: seed)
      let needs = Self.needs(&random)
      let cause = Self.cause(needs)
      let division = Self.division(cause)
      let (power, basis) = Self.basis(cause.setting)
      var ledger = Ledger()
      let span = TimeSpan(nanoseconds: Int64.random(in: 1...7_200_000_000_000, using: &random))
      let amount = power.energy(over: span, carrying: 0).0
      ledger.charge(amount, device: "test.sensor", cause: cause, divided: division, over: basis)
      #expect(ledger.isBalanced && ledger.total == amount, "seed \(seed)")
      #expect(ledger.byClient.values.reduce(.zero, +) == amount, "seed \(seed)")
      for (place, need) in needs.enumerated() {
        let paid = ledger.byClient[ClientID("app \(place)")] ?? .zero
        let alone =
          Self.sensor.states[1].power(at: need.period ?? cause.setting.period)
          + Self.sensor.power(of: need.attributes)
        // Each part is rounded to a 24-bit number, and a nanojoule cannot be divided.
        let most = alone.energy(over: span, carrying: 0).0.nanojoules + amount.nanojoules / 1_000_000 + 24
        #expect(paid.nanojoules <= most, "seed \(seed), demand \(place): \(paid) of \(most) nJ")
      }
    }
  }

  @Test("F3: charging an amount in several steps does not change the shares, and no share becomes smaller")
  func pieces() {
    for seed in Trials(2000, fewest: 50).seeds {
      var random = SeededGenerator(seed: seed)
      let cause = Self.cause(Self.needs(&random))
      let (division, basis) = (Self.division(cause), Self.basis(cause.setting).basis)
      var (one, many) = (Ledger(), Ledger())
      var paid = Energy.zero
      for _ in 1...20 {
        let piece = Energy(nanojoules: Int64.random(in: 0...300, using: &random))
        let before = many
        many.charge(piece, device: "a", cause: cause, divided: division, over: basis, after: paid)
        for (client, energy) in before.byClient { #expect(many.byClient[client] ?? .zero >= energy) }
        for (rule, energy) in before.byRule { #expect(many.byRule[rule] ?? .zero >= energy) }
        paid += piece
      }
      one.charge(paid, device: "a", cause: cause, divided: division, over: basis)
      #expect(one.byClient.filter { $0.value > .zero } == many.byClient.filter { $0.value > .zero })
      #expect(many.isBalanced && one.total == many.total, "seed \(seed)")
    }
  }

  @Test(
    "F3: beside a demand at 1 Hz, a demand at 1 per 10 min pays half of the mean power that it needs alone")
  func receiver() throws {
    func state(_ name: String, _ milliwatts: Int64, isOn: Bool) -> PowerState {
      PowerState(name: name, power: Power(nanowatts: milliwatts * 1_000_000), isOn: isOn)
    }
    var manifest = Manifest(
      device: "test.sensor", kind: .sensor, title: "",
      states: [
        state("off", 0, isOn: false), state("standby", 1, isOn: true), state("search", 80, isOn: true),
        state("track", 60, isOn: true),
      ], transitions: [], verbs: [])
    manifest.figures["hot_fix"] = Quantity(2, .time)
    manifest.figures["cold_fix"] = Quantity(30, .time)
    let idle = try #require(IdleModeChoice(manifest))
    // In 600 s: 2 s of search and 598 s of standby.
    let alone = idle.meanPower(over: .minutes(10))
    #expect(alone.nanowatts == (2 * 80_000_000 + 598 * 1_000_000) / 600)
    #expect(idle.meanPower(over: .seconds(1)).nanowatts == 60_000_000)
    let cause = Self.cause([
      Need(period: .minutes(10), attributes: [:]), Need(period: .seconds(1), attributes: [:]),
    ])
    var division = EnergyDivision()
    division.update(for: cause, of: manifest, idle: idle)
    let amount = Power(nanowatts: 60_000_000).energy(over: .hours(1), carrying: 0).0
    var ledger = Ledger()
    ledger.charge(amount, device: "test.sensor", cause: cause, divided: division)
    let slow = ledger.byClient["app 0"] ?? .zero
    #expect(abs(slow.joules - Double(alone.nanowatts) / 1e9 * 3600 / 2) < 1e-3, "\(slow)")
    #expect(ledger.byClient["app 1"] == amount - slow && ledger.isBalanced)
  }

  @Test("demands with equal needs, and demands on a radio, pay equal parts")
  func equal() {
    let need = Need(period: .seconds(1), attributes: [:])
    #expect(Self.division(Self.cause([need, need, need])).isEven)
    let cause = Self.cause([need, Need(period: .seconds(2), attributes: [:])])
    #expect(!Self.division(cause).isEven)
    var radio = EnergyDivision()
    radio.update(
      for: cause, of: Manifest(device: "r", kind: .radio, title: "", states: [], transitions: [], verbs: []))
    #expect(radio.isEven)
  }
}
