import StintMachine
import StintModel
import StintUnits

/// Runs the rule VM on a workload: it sets facts and reads the winning rule of each device.
struct RuleVMRun {
  /// The facts of each vector and of each step of the trace.
  let vectors: ContiguousArray<ContiguousArray<FactUpdate>>
  let steps: ContiguousArray<ContiguousArray<FactUpdate>>
  private let setup: BenchmarkSetup
  private var ruleVM: RuleVM
  private var now = Instant(nanoseconds: 1_000_000_000)
  private var winners: ContiguousArray<Int>
  private let firstRules: ContiguousArray<Int>

  init(_ setup: BenchmarkSetup) {
    self.setup = setup
    let workload = setup.workload
    vectors = ContiguousArray(workload.vectors.map { setup.updates($0) })
    steps = ContiguousArray(
      workload.trace.indices.map { setup.updates(workload.trace[$0], workload.changes(at: $0)) })
    ruleVM = RuleVM(image: setup.image, timeZone: .utc, at: now)
    winners = ContiguousArray(repeating: -1, count: workload.deviceCount)
    firstRules = ContiguousArray(setup.firstRules)
  }

  @inline(__always)
  private mutating func decide(_ updates: ContiguousArray<FactUpdate>) {
    now = now + .milliseconds(1)
    for update in updates { ruleVM.set(fact: update.fact, update.value, at: now) }
    ruleVM.evaluate(at: now)
    // Rules are sorted by device, then by descending priority: the first active rule of a device wins.
    for device in winners.indices {
      let first = ruleVM.firstHeld(from: firstRules[device]) ?? .max
      winners[device] = first < firstRules[device + 1] ? first : -1
    }
  }

  /// Sets the facts of one step and writes the resulting changes of the rule VM into `changes`.
  mutating func propagate(
    _ updates: ContiguousArray<FactUpdate>, into changes: inout ContiguousArray<RuleVMChange>
  ) {
    changes.removeAll(keepingCapacity: true)
    now = now + .milliseconds(1)
    for update in updates { ruleVM.set(fact: update.fact, update.value, at: now) }
    ruleVM.propagate(at: now, into: &changes)
  }

  mutating func time(_ items: ContiguousArray<ContiguousArray<FactUpdate>>) -> Timing {
    Timing.of(items.count) { for item in items { decide(item) } }
  }

  mutating func checksum(_ items: ContiguousArray<ContiguousArray<FactUpdate>>) -> String {
    var sum = DecisionChecksum()
    for item in items {
      decide(item)
      sum.add(winners.map { $0 < 0 ? 0 : setup.priorities[$0] })
    }
    return sum.text
  }

  /// Measures the time from the verified image to a rule VM that has evaluated its rules.
  static func load(_ setup: BenchmarkSetup) -> Timing {
    let now = Instant(nanoseconds: 1_000_000_000)
    return Timing.of(1, passes: 9) {
      var ruleVM = RuleVM(image: setup.image, timeZone: .utc, at: now)
      ruleVM.evaluate(at: now)
    }
  }

  /// Returns the memory of a rule VM with its image, in bytes, as the mean of several rule VMs.
  static func memory(_ setup: BenchmarkSetup) -> Int {
    let now = Instant(nanoseconds: 1_000_000_000)
    let count = 8
    var ruleVMs: [RuleVM] = []
    ruleVMs.reserveCapacity(count + 1)
    var before = 0
    for number in 0...count {
      guard let image = setup.imageAgain() else { return 0 }
      var ruleVM = RuleVM(image: image, timeZone: .utc, at: now)
      ruleVM.evaluate(at: now)
      ruleVMs.append(ruleVM)
      // The first pass also allocates the temporary memory of the compiler, so count only the later passes.
      if number == 0 { before = ResidentMemory.bytes() }
    }
    let bytes = (ResidentMemory.bytes() - before) / count
    return withExtendedLifetime(ruleVMs) { max(bytes, 0) }
  }
}
