import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

/// Tests of the effects of reloads on state machines.
@Suite("State machines across reloads")
struct MachineReloadTests {
  private static let toAndFro = """
    policy "p"
    machine ride starts a {
      state a { goto b when battery.level > 0 % }
      state b { goto a when battery.level > 0 % }
    }
    """

  @Test(
    "X04: reloading the same policy does not change the times of transitions", arguments: [0, 0.0004, 0.0015])
  func hurries(delay: Double) throws {
    var undisturbed = try GovernorBench()
    try undisturbed.load(Self.toAndFro, at: 0)
    undisturbed.set("battery.level", "50 %", at: 1)
    var reloaded = undisturbed
    undisturbed.run(to: 1.2)
    try reloaded.load(Self.toAndFro, at: 1 + delay)
    reloaded.run(to: 1.2)
    #expect(reloaded.log == undisturbed.log)
    #expect(reloaded.log.count { $0.contains(" machine ") } > 7)
  }

  @Test("X04: the time in a state is kept when the state has a new position in the file")
  func reordered() throws {
    let head = "policy \"p\"\nmachine ride starts a { "
    let first = "state a { goto b when battery.level < 5 % } "
    let second = "state b { goto a when battery.level > 90 % } "
    let tail = "}\nrule long while ride is a for 1 min { batch test.sensor until 5 min }"
    var bench = try GovernorBench()
    try bench.load(head + first + second + tail, at: 0)
    bench.set("battery.level", "50 %", at: 1)
    try bench.load(head + second + first + tail, at: 40)
    bench.run(to: 59)
    #expect(bench.isActive("long") == false)
    bench.run(to: 60)
    #expect(bench.isActive("long") == true)
  }

  @Test("a reload does not count the time in one state for another state that gets the same index")
  func mistaken() throws {
    let head = "policy \"p\"\nmachine ride starts a { "
    let first = "state a { goto b when battery.level < 5 % } "
    let second = "state b { goto a when battery.level > 90 % } "
    var bench = try GovernorBench()
    try bench.load(
      head + first + second + "}\nrule long while ride is a for 1 min { batch test.sensor until 5 min }",
      at: 0)
    bench.set("battery.level", "50 %", at: 1)
    bench.run(to: 70)
    bench.set("battery.level", "4 %", at: 80)
    try bench.load(
      head + second + first + "}\nrule long while ride is b for 1 min { batch test.sensor until 5 min }",
      at: 90)
    bench.run(to: 149)
    #expect(bench.isActive("long") == false)
    bench.run(to: 151)
    #expect(bench.isActive("long") == true)
  }

  @Test("the report of a reload contains the result for each state machine")
  func report() throws {
    let both = """
      policy "p"
      machine m starts a { state a { goto b when battery.level < 5 % } state b { goto a when battery.level > 90 % } }
      machine n starts a { state a { goto b when battery.level < 5 % } state b { goto a when battery.level > 90 % } }
      """
    let fewer = """
      policy "p"
      machine m starts a { state a { goto c when battery.level < 5 % } state c { goto a when battery.level > 90 % } }
      machine n starts a { state a { goto b when battery.level < 5 % } state b { goto a when battery.level > 90 % } }
      """
    var bench = try GovernorBench()
    try bench.load(both, at: 0)
    bench.set("battery.level", "4 %", at: 1)
    let reload = try bench.reload(fewer, at: 2)
    #expect(reload.lines == ["reset machine p/m: is b", "kept machine p/n: is b"])
    let gone = try bench.reload("policy \"p\"", at: 3)
    #expect(gone.lines == ["dropped machine p/m: is c", "dropped machine p/n: is b"])
  }
}

extension ReloadReport {
  /// The migration results, one line per piece of state.
  var lines: [String] {
    entries.map { entry in
      var migration = entry.migration.name
      if case .moved(let name) = entry.migration { migration += " to \(name)" }
      return "\(migration) \(entry.kind.rawValue) \(entry.owner): \(entry.value)"
    }
  }
}

extension GovernorBench {
  fileprivate func isActive(_ rule: String) -> Bool? {
    guard let machine = governor.machine,
      let number = machine.image.rules.firstIndex(where: { $0.id.rule == rule })
    else { return nil }
    return machine.isActive(rule: number)
  }
}
