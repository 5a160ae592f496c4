import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

/// Tests that the saved state of a governor is restored after a restart of its process.
@Suite("Restarts")
struct RestartTests {
  private static let policy = """
    policy "p"
    use test.sensor as gps
    machine ride starts parked {
      state parked { goto riding when motion.activity is walking for 2 min }
      state riding { goto parked when motion.activity is still for 4 min }
    }
    budget trail = 6 J per hour on gps { at 50 % { downgrade gps to 100 m } }
    rule low while battery.level below 20 % release 25 % { downgrade gps to 50 m }
    rule quiet while spread(battery.level, 5 min) > 4 % { batch gps until 10 s }
    rule rest while motion.activity is still for 4 min { pause gps }
    rule giveup when battery.level < 40 % for 2 min { stop gps for 1 min doubling to 8 min }
    rule lately while motion.activity is walking in last 3 min { batch gps until 20 s }
    rule tick every 7 min if battery.level < 90 % { fix gps to 20 m timeout 10 s }
    rule mine while client.name == "app" and app.state is background for 90 s { batch gps until 1 min }
    """

  private static let factChanges: [(Double, String, String)] = [
    (0, "app.state", "foreground"), (5, "battery.level", "50 %"), (10, "motion.activity", "still"),
    (60, "battery.level", "35 %"), (200, "motion.activity", "walking"), (230, "battery.level", "24 %"),
    (300, "app.state", "background"), (350, "battery.level", "18 %"), (420, "battery.level", "22 %"),
    (500, "motion.activity", "still"), (900, "motion.activity", "walking"), (1000, "battery.level", "60 %"),
  ]

  /// Returns one line with the active rules for every tenth second. The governor restarts at the seconds
  /// in `restarts`.
  private func holding(restarts: Set<Int>) throws -> [String] {
    var bench = try GovernorBench()
    try bench.load(Self.policy, at: 0)
    _ = bench.raise("app", DemandSettings(accuracy: 10), at: 0)
    var factChanges = Self.factChanges[...]
    var lines: [String] = []
    for second in stride(from: 10, through: 1800, by: 10) {
      while let (moment, path, text) = factChanges.first, moment <= Double(second) {
        bench.set(path, text, at: moment)
        factChanges.removeFirst()
      }
      bench.run(to: Double(second))
      if restarts.contains(second) { try restart(&bench, at: Double(second)) }
      let image = try #require(bench.governor.program?.image.image)
      let names = image.rules.indices.filter { bench.governor.isActive(rule: $0) }.map {
        image.rules[$0].id.rule
      }
      lines.append("\(second): \(names.joined(separator: " "))")
    }
    return lines
  }

  private func restart(_ bench: inout GovernorBench, at second: Double) throws {
    let memory = bench.governor.memory
    let program = try bench.program([Self.policy])
    let instant = bench.instant(second)
    var fresh = Governor(vocabulary: bench.governor.vocabulary.computing([]), at: instant)
    let loaded = try fresh.load(program, at: instant, recalling: memory)
    bench.governor = fresh
    bench.answer(loaded.effects)
    for id in memory.demands {
      bench.input(
        .raise(Demand(id: id, client: "app", target: "test.sensor", wants: DemandSettings(accuracy: 10))),
        at: second)
    }
  }

  @Test(
    "after a restart, the same rules are active at each time as without the restart",
    arguments: [[10], [150], [240], [410], [620], [300, 700, 1000]])
  func goesOn(restarts: [Int]) throws {
    let steady = try holding(restarts: [])
    #expect(Set(steady.flatMap { $0.split(separator: " ").dropFirst() }).count >= 6)
    #expect(try holding(restarts: Set(restarts)) == steady)
  }

  @Test(
    "the governor refuses saved state of a later instant, and any saved state while policies are in force")
  func refused() throws {
    var bench = try GovernorBench()
    try bench.load(Self.policy, at: 10)
    let program = try bench.program([Self.policy])
    let memory = bench.governor.memory
    let over = #expect(throws: Problem.self) {
      try bench.governor.load(program, at: bench.instant(20), recalling: memory)
    }
    #expect(over?.code == .incompatible)
    var fresh = Governor(vocabulary: bench.governor.vocabulary.computing([]), at: bench.instant(0))
    let early = #expect(throws: Problem.self) {
      try fresh.load(program, at: bench.instant(5), recalling: memory)
    }
    #expect(early?.code == .past)
  }
}
