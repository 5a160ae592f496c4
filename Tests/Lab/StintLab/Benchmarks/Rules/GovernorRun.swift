import StintGovernor
import StintModel
import StintUnits

/// Runs the governor on a workload. Each device has one demand without settings. When no rule matches, this
/// demand gets the device's default rate, which is above the rate of every rule.
struct GovernorRun {
  private let setup: BenchmarkSetup
  private var governor: Governor
  private var now = Instant(nanoseconds: 1_000_000_000)

  init(_ setup: BenchmarkSetup) throws {
    self.setup = setup
    governor = Governor(vocabulary: setup.vocabulary, at: now)
    _ = try governor.load(setup.program(), at: now)
    for device in 0..<setup.workload.deviceCount {
      let target = DeviceID(Workload.device(device))
      take([
        .raise(
          Demand(id: DemandID(Int64(device + 1)), client: "bench", target: target, wants: DemandSettings()))
      ])
      guard let number = setup.vocabulary.device(target) else { continue }
      take([.outcome(device: number, .state(1, period: nil))])
    }
  }

  func inputs(_ vector: [Double], _ fields: [Int]? = nil) -> [Input] {
    (fields ?? Array(vector.indices)).map { .fact(setup.facts[$0], setup.value(vector[$0], of: $0)) }
  }

  func inputs(_ step: [(field: Int, value: Double)]) -> [Input] {
    step.map { .fact(setup.facts[$0.field], setup.value($0.value, of: $0.field)) }
  }

  mutating func take(_ inputs: [Input]) {
    now = now + .milliseconds(1)
    _ = governor.step(inputs, at: now)
  }

  /// Prepares a reload. In a daemon, steps can run during the preparation.
  func prepare(_ program: Program) throws -> PreparedProgram { try governor.prepare(program) }

  /// Reloads the policies, between two steps.
  mutating func exchange(_ prepared: PreparedProgram) throws -> Reload {
    now = now + .milliseconds(1)
    return try governor.load(prepared, at: now)
  }

  mutating func time(_ steps: [[Input]]) -> Timing {
    Timing.of(steps.count) { for step in steps { take(step) } }
  }

  /// Returns the numbers of allocator calls and of lock calls in at most 100,000 steps. The steps are
  /// complete passes over `steps`, after a warm-up pass. Returns nil without the counting library.
  mutating func calls(_ steps: [[Input]]) -> StepBenchmark.Calls? {
    for step in steps { take(step) }
    guard let allocations = CallCounter.allocations(), let locks = CallCounter.locks() else { return nil }
    for _ in 0..<(100_000 / max(steps.count, 1)) { for step in steps { take(step) } }
    return StepBenchmark.Calls(
      governorAllocations: (CallCounter.allocations() ?? 0) - allocations,
      governorLocks: (CallCounter.locks() ?? 0) - locks, ruleVMAllocations: 0, ruleVMLocks: 0)
  }

  /// Returns the checksum of the decisions. The granted rate identifies the winning rule.
  mutating func checksum(_ vectors: [[Double]]) -> String {
    var sum = DecisionChecksum()
    for vector in vectors {
      take(inputs(vector))
      for device in 0..<setup.workload.deviceCount { sum.add(priority(of: device)) }
    }
    return sum.text
  }

  private func priority(of device: Int) -> Int {
    guard let period = governor.grant(of: "bench", on: DeviceID(Workload.device(device)))?.period else {
      return 0
    }
    let rate = (1 / period.seconds).rounded()
    return rate > Double(Workload.fastest) ? 0 : Workload.fastest + 1 - Int(rate)
  }
}
