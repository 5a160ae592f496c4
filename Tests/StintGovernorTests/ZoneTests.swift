import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

/// Tests of zones, mostly of a circle with a radius of 100 m around 47° N 8° E. One degree of latitude is
/// 111 195 m.
@Suite("Zones")
struct ZoneTests {
  private func bench(_ zone: String, _ rules: String) throws -> GovernorBench {
    let beacon = FactSchema(path: "beacon.desk.7", type: .boolean, maxAge: .seconds(10))
    var bench = try GovernorBench(declared: [beacon])
    try bench.load("policy \"p\"\nzone home = \(zone)\n\(rules)", at: 0)
    return bench
  }

  private static let circle = "circle 47 8 radius 100 m"
  private static let inside = "rule here while inside(home) { batch test.sensor until 5 min }"

  @Test(
    "a fix is inside or outside a zone only when its whole accuracy circle is inside or outside",
    arguments: [
      (0, 5, true), (90, 5, true), (96, 5, nil), (104, 5, nil), (106, 5, false), (5000, 1000, false),
      (0, 101, nil), (0, 1000, nil),
    ] as [(Double, Double, Bool?)])
  func decides(metres: Double, radius: Double, isInside: Bool?) throws {
    var bench = try bench(Self.circle, Self.inside)
    bench.fix(metres, radius, at: 10)
    #expect(bench.inside == isInside.map(FactValue.boolean) ?? .unknown)
  }

  @Test("an undecided fix keeps the zone's state, which becomes unknown ten minutes after the last fix")
  func stands() throws {
    var bench = try bench(Self.circle, Self.inside)
    bench.fix(0, 5, at: 10)
    bench.fix(98, 5, at: 20)
    #expect(bench.inside == .boolean(true))
    #expect(bench.held == ["here"])
    bench.fix(120, 5, at: 30)
    #expect(bench.held == [])
    bench.run(to: 629)
    #expect(bench.inside == .boolean(false))
    bench.run(to: 630)
    #expect(bench.inside == .unknown)
  }

  @Test("a change of a zone takes effect after the zone's delay, unless a contrary fix arrives before")
  func delays() throws {
    var bench = try bench(Self.circle + " enter_after 30 s exit_after 1 min", Self.inside)
    bench.fix(500, 5, at: 10)
    bench.run(to: 71)
    #expect(bench.inside == .boolean(false))
    bench.fix(0, 5, at: 100)
    bench.fix(0, 5, at: 110)
    bench.run(to: 129)
    #expect(bench.held == [])
    bench.run(to: 130)
    #expect(bench.held == ["here"])
    bench.fix(500, 5, at: 140)
    bench.fix(0, 5, at: 190)
    bench.run(to: 205)
    #expect(bench.held == ["here"])
    bench.fix(500, 5, at: 210)
    bench.run(to: 270)
    #expect(bench.held == [])
  }

  @Test("enter and exit are true for one evaluation, and stay false when the previous state was unknown")
  func moments() throws {
    var bench = try bench(
      Self.circle,
      """
      rule came when enter(home) { emit "came" }
      rule left when exit(home) { emit "left" }
      rule lately while exit(home) in last 1 min { batch test.sensor until 5 min }
      """)
    bench.fix(0, 5, at: 10)
    #expect(bench.events == [])
    bench.fix(500, 5, at: 20)
    #expect(bench.events == ["left"])
    #expect(bench.held.contains("lately"))
    bench.fix(510, 5, at: 30)
    bench.fix(0, 5, at: 40)
    bench.fix(0, 5, at: 50)
    #expect(bench.events == ["left", "came"])
    bench.run(to: 81)
    #expect(!bench.held.contains("lately"))
  }

  @Test("a beacon's zone is entered when its signal is received, and left 30 s after the signal is lost")
  func beacon() throws {
    var bench = try bench(
      "beacon \"desk\" major 7", "rule here while heard(home) { batch test.sensor until 5 min }")
    bench.set("beacon.desk.7", "true", at: 10)
    #expect(bench.held == ["here"])
    bench.set("beacon.desk.7", "false", at: 20)
    bench.run(to: 49)
    #expect(bench.held == ["here"])
    bench.run(to: 50)
    #expect(bench.held == [])
  }

  @Test("`watch` determines the position by single fixes of its device while its rule is in force")
  func watch() throws {
    var bench = try bench(Self.circle, "rule look while battery.level > 50 % { watch home on test.sensor }")
    bench.run(to: 4)
    #expect(bench.settings() == [])
    bench.set("battery.level", "80 %", at: 5)
    #expect(bench.setting.isOn)
    bench.fix(0, 5, at: 10)
    #expect(bench.inside == .boolean(true))
    bench.run(to: 309)
    #expect(!bench.setting.isOn && bench.inside == .boolean(true))
    // The activity is unknown, so the host may have moved to the border, and the next fix is necessary.
    bench.run(to: 310)
    #expect(bench.setting.isOn)
    bench.set("battery.level", "40 %", at: 311)
    bench.run(to: 320)
    #expect(!bench.setting.isOn)
    bench.run(to: 3600)
    #expect(bench.settings().filter { $0.contains(": on") }.count == 2)
  }

  @Test("a zone's state survives a reload with a new radius, but not a reload with a new centre")
  func reload() throws {
    var bench = try bench(Self.circle, Self.inside)
    bench.fix(0, 5, at: 10)
    try bench.load("policy \"p\"\nzone home = \(Self.circle)\n\(Self.inside)\nlet a = inside(home)", at: 15)
    #expect(bench.held == ["here"])
    try bench.load("policy \"p\"\nzone home = circle 47 8 radius 200 m\n\(Self.inside)", at: 40)
    #expect(bench.held == ["here"] && bench.inside == .boolean(true))
    try bench.load("policy \"p\"\nzone home = circle 47.1 8 radius 200 m\n\(Self.inside)", at: 50)
    #expect(bench.inside == .unknown)
  }

  @Test("a `when` rule about a zone does not act again when a reload changes a number of the zone")
  func reloadedEdge() throws {
    let came = "rule came when inside(home) { emit \"came\" }"
    var bench = try bench("circle 47 8 radius 100 m", came)
    bench.fix(0, 5, at: 10)
    #expect(bench.events == ["came"])
    for (number, zone) in ["radius 110 m", "radius 110 m enter_after 30 s", "radius 90 m"].enumerated() {
      let at = 20 + 10 * number
      try bench.load("policy \"p\"\nzone home = circle 47 8 \(zone)\n\(came)", at: Double(at))
      bench.fix(0, 5, at: Double(at + 5))
    }
    #expect(bench.events == ["came"])
    bench.fix(500, 5, at: 60)
    bench.fix(0, 5, at: 70)
    #expect(bench.events == ["came", "came"])
  }
}

extension GovernorBench {
  /// Publishes a fix `metres` north of the zone's centre, with an accuracy of `radius` metres.
  fileprivate mutating func fix(_ metres: Double, _ radius: Double, at second: Double) {
    set("test.sensor.accuracy", "\(Quantity.number(radius)) m", at: second)
    set("test.sensor.latitude", "\(47 + metres / 111_195.08) deg", at: second)
    set("test.sensor.longitude", "8 deg", at: second)
  }

  fileprivate var inside: FactValue {
    governor.vocabulary.fact("inside(p/home)").map { governor.facts.value($0) } ?? .unknown
  }

  fileprivate var held: [String] {
    guard let machine = governor.machine else { return [] }
    return machine.image.rules.indices.filter { machine.isActive(rule: $0) }.map {
      machine.image.rules[$0].id.rule
    }
  }

  fileprivate var events: [String] {
    effects.compactMap { effect in
      if case .act(_, .emit(let name)) = effect { name } else { nil }
    }
  }
}
