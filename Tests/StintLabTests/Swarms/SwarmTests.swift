import StintGovernor
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintLab
@testable import StintTools

@Suite struct SwarmTests {
  @Test(
    "random faults break no invariant on a simulated walk, and equal seeds give equal reports")
  func walk() throws {
    let temporaryFiles = TemporaryFiles()
    let request = SimulationRequest(
      policies: [try temporaryFiles.policy()], scenario: try temporaryFiles.walk())
    let seeds = Trials(120, fewest: 3)
    let report = try SwarmRun(request, count: seeds.count).run()
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.runs == seeds.count)
    #expect(report.faults >= seeds.share(of: 360))
    #expect(report.samples > 0)
    #expect(report.restarts >= seeds.share(of: 50))
    #expect(try SwarmRun(request, count: 1).run() == SwarmRun(request, count: 1).run())
  }

  @Test("the report of a broken invariant contains the command that repeats the run")
  func finding() throws {
    var report = SwarmReport(request: SimulationRequest(policies: ["a.stint"], scenario: "day-hike", seed: 3))
    let day = SwarmDay.Outcome(faults: 1, restarts: 1, decisions: 3)
    let watches = SwarmWatches(
      try watch(), ServiceWatch(start: Self.start, manifests: try ReferencePhone.manifests()))
    report.add(seed: 3, day, watches: watches)
    watches.devices.delivered(batch([120]), to: Self.demand, at: Self.start + .seconds(90))
    report.add(seed: 4, day, watches: watches)
    #expect(report.text.contains("runs that broke an invariant: 1"))
    #expect(
      report.text.contains("repeat with: stint-lab swarm a.stint --scenario day-hike --count 1 --seed 4"))
    #expect(report.jsonText.contains("\"at_ns\": 90000000000"))
  }

  @Test(
    "faults depend only on the seed, never affect the processor, and end before the last tenth of the run")
  func faults() throws {
    let manifests = try ReferencePhone.manifests()
    let day = TimeSpan.hours(10)
    var kinds: Set<InjectedFault.Kind> = []
    for seed in 1...200 as ClosedRange<UInt64> {
      var first = FaultSwarm(seed: seed)
      var second = FaultSwarm(seed: seed)
      let faults = first.faults(on: manifests, within: day)
      #expect(faults == second.faults(on: manifests, within: day))
      #expect((3...14).contains(faults.count))
      #expect(faults.allSatisfy { $0.at + $0.duration <= .hours(9) && $0.duration > .zero })
      #expect(faults.allSatisfy { $0.device != "host.processor" })
      kinds.formUnion(faults.map(\.kind))
    }
    #expect(kinds == Set(InjectedFault.Kind.allCases))
  }

  // MARK: Violations that the checkers find

  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let demand = Demand(
    id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings())

  private func watch() throws -> InvariantWatch {
    InvariantWatch(start: Self.start, manifests: try ReferencePhone.manifests())
  }

  private func batch(_ seconds: [Int64], _ reason: DeliveryReason = .immediate) -> Batch {
    Batch(
      device: "location.gnss",
      samples: seconds.map { Sample(instant: Self.start + .seconds($0), sequence: UInt64($0), 0) },
      reason: reason)
  }

  @Test("samples that are old, from the future or out of order are violations")
  func freshness() throws {
    let watch = try watch()
    watch.delivered(batch([10, 11]), to: Self.demand, at: Self.start + .seconds(11))
    watch.delivered(batch([1], .late), to: Self.demand, at: Self.start + .seconds(100))
    watch.delivered(batch([2], .full), to: Self.demand, at: Self.start + .seconds(100))
    #expect(watch.broken.isEmpty)
    watch.delivered(batch([1]), to: Self.demand, at: Self.start + .seconds(12))
    watch.delivered(batch([20]), to: Self.demand, at: Self.start + .seconds(19))
    watch.delivered(batch([21, 21]), to: Self.demand, at: Self.start + .seconds(21))
    #expect(watch.broken.map(\.rule) == [.freshness, .freshness, .freshness])
  }

  @Test("a transfer that misses its deadline is a violation only if a radio was available")
  func deadlines() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let governor = Governor(vocabulary: vocabulary, at: Self.start + .seconds(200))
    let transfer = DemandSettings(transfer: Transfer(bytesUp: 1, bytesDown: 0, deadline: .seconds(60)))
    let demands = (1...4).map {
      Demand(id: DemandID($0), client: "app", target: "radio.cellular", wants: transfer)
    }
    let watch = try watch()
    for demand in demands {
      watch.raised(demand, at: Self.start)
      watch.granted(Grant(status: .served), to: demand, in: governor, at: Self.start)
    }
    watch.transfersStarted([demands[0]], on: "radio.cellular", at: Self.start + .seconds(60))
    watch.granted(Grant(status: .unavailable), to: demands[1], in: governor, at: Self.start + .seconds(5))
    watch.granted(Grant(status: .served), to: demands[1], in: governor, at: Self.start + .seconds(90))
    watch.transfersStarted([demands[1]], on: "radio.cellular", at: Self.start + .seconds(90))
    #expect(watch.broken.isEmpty)
    watch.transfersStarted([demands[2]], on: "radio.cellular", at: Self.start + .seconds(61))
    watch.settled(governor, at: Self.start + .seconds(200))
    #expect(watch.broken.map(\.rule) == [.deadline, .deadline])
  }

  @Test("a paused demand without a rule in force that pauses it is a violation")
  func resumption() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let governor = Governor(vocabulary: vocabulary, at: Self.start)
    let watch = try watch()
    let paused = Grant(status: .paused, rules: [RuleID(policy: "p", rule: "r")])
    watch.granted(paused, to: Self.demand, in: governor, at: Self.start)
    watch.settled(governor, at: Self.start)
    #expect(watch.broken.map(\.rule) == [.resumption])
  }
}
