import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintRuntime

/// Generations of policies, and the state file of a daemon.
@Suite("Persistent state of a daemon")
struct DaemonStateTests {
  private func generation(_ number: Int) -> PolicyGeneration {
    PolicyGeneration(
      policies: [JournalPolicy(file: "p.stint", text: "policy \"p\" version \(number)")], origin: .file,
      since: Instant(nanoseconds: Int64(number)))
  }

  private func version(_ generation: PolicyGeneration?) -> String? {
    generation?.policies.first?.text.split(separator: " ").last.map(String.init)
  }

  @Test("ten earlier generations are kept, and a rollback returns to the previous generation")
  func generations() {
    var generations = PolicyGenerations()
    for number in 1...15 {
      generations.enter(generation(number))
      // Unchanged policies are not a new generation.
      generations.enter(generation(number))
    }
    #expect(generations.earlier.compactMap { version($0) } == (5...14).map(String.init))
    for number in (5...14).reversed() {
      #expect(version(generations.previous) == "\(number)")
      generations.rollBack(at: Instant(nanoseconds: 99))
      #expect(version(generations.current) == "\(number)" && generations.current?.origin == .rollback)
    }
    #expect(generations.previous == nil)
    generations.rollBack(at: .epoch)
    #expect(version(generations.current) == "5")
  }

  @Test("a state keeps its clock, and also matches a `JournalWorld` that differs only in the time zone")
  func clock() throws {
    var kept = state
    kept.clock = PersistedClock(ahead: .hours(-3), boot: "b", steady: MonotonicInstant(nanoseconds: 7))
    #expect(try DaemonState(kept.encoded) == kept)
    var world = JournalWorld(manifests: ["m"], scenario: "s", seed: 1, timeZone: .utc)
    let here = DaemonState(
      world: world, generations: PolicyGenerations(), watchedPolicies: [], memory: kept.memory)
    world.timeZone = .fixed(.hours(2))
    #expect(here.matches(world))
    world.seed = 2
    #expect(!here.matches(world))
  }

  @Test("an instant that is too large for calculations is refused")
  func farInstant() {
    for nanoseconds in [Int64.min, .max] {
      var kept = state
      kept.memory.instant = Instant(nanoseconds: nanoseconds)
      #expect(throws: Problem.self) { try DaemonState(kept.encoded) }
    }
  }

  private var state: DaemonState {
    var memory = GovernorMemory(at: Instant(nanoseconds: 77))
    var slot = RuleVMSnapshot.Slot(
      key: SlotKey(rule: RuleID(policy: "p", rule: "r"), structure: "for(a,1,0)", occurrence: 1))
    slot.since = Instant(nanoseconds: 5)
    slot.instants = [Instant(nanoseconds: 1), Instant(nanoseconds: 2)]
    slot.values = [1.5, -0.0]
    var rule = RuleVMSnapshot.Rule(id: RuleID(policy: "p", rule: "r"), structure: "while a")
    rule.truth = .unknown
    var run = RuleVMSnapshot.Run()
    run.count = 3
    run.end = Instant(nanoseconds: 9)
    rule.runs = [run, RuleVMSnapshot.Run()]
    memory.machine.slots = [slot]
    memory.machine.rules = [rule]
    memory.perDemand = [.init(demand: DemandID(-4), machine: memory.machine)]
    memory.facts = [
      .init(path: "a", value: .boolean(true), instant: .epoch),
      .init(path: "b", value: .symbol(2), instant: .epoch),
    ]
    memory.meters = [.init(path: "p/trail", drawn: Energy(nanojoules: 12), end: .epoch)]
    memory.wakeups = [.init(path: "wakeups(gps)", instants: [.epoch])]
    memory.states = [.init(path: "p/m", name: "b", moved: nil)]
    memory.zones = [.init(name: "p/home", isInside: true, candidate: false, since: .epoch, lastFix: nil)]
    memory.demands = [DemandID(1), DemandID(7)]
    let world = JournalWorld(manifests: ["{}"], scenario: "{}", seed: 1, timeZone: .utc)
    return DaemonState(
      world: world, generations: PolicyGenerations(current: generation(2), earlier: [generation(1)]),
      watchedPolicies: generation(2).policies, memory: memory)
  }

  @Test("a state file is read back unchanged, and equal states have equal bytes")
  func roundTrip() throws {
    let bytes = state.encoded
    #expect(try DaemonState(bytes) == state)
    #expect(state.encoded == bytes)
  }

  @Test("a state file that is truncated or changed anywhere is refused")
  func torn() {
    let bytes = state.encoded
    for length in 0..<bytes.count {
      #expect(throws: Problem.self) { try DaemonState(Array(bytes[..<length])) }
    }
    for place in bytes.indices {
      var flipped = bytes
      flipped[place] ^= 1 << (place % 8)
      #expect(throws: Problem.self) { try DaemonState(flipped) }
    }
    #expect(throws: Problem.self) { try DaemonState(bytes + [0]) }
  }

  @Test("files of other programs and of other versions have different errors")
  func unexpectedContent() {
    let other = #expect(throws: Problem.self) { try DaemonState(Array("STINTJNL and more".utf8)) }
    #expect(other?.code == .unexpectedContent)
    var newer = state.encoded
    newer[8] = 3
    let version = #expect(throws: Problem.self) { try DaemonState(newer) }
    #expect(
      version?.code == .version
        && version?.cause == "it is of version 3, and this program reads versions 1 and 2")
  }

  @Test("changed content is read or refused without a trap when no checksum is compared", arguments: 0..<64)
  func hostile(seed: Int) {
    var bytes = ByteWriter()
    state.write(to: &bytes)
    var rest = bytes.bytes
    for number in 0..<3 {
      rest[(seed * 7919 + number * 104_729) % rest.count] = UInt8((seed * 31 + number * 97) % 256)
    }
    var reader = ByteReader(rest)
    do throws(CodingFault) {
      let read = try DaemonState(from: &reader)
      #expect(read.encoded.count > 0)
    } catch {
      #expect(error.offset <= rest.count)
    }
  }

  @Test("numbers out of range are refused without a trap")
  func extremeNumbers() {
    var drawn = state
    drawn.memory.meters[0].drawn = Energy(nanojoules: -1)
    var runs = state
    runs.memory.machine.rules[0].runs[0].count = .max
    for bad in [drawn, runs] {
      let fault = #expect(throws: Problem.self) { try DaemonState(bad.encoded) }
      #expect(fault?.code == .truncated)
    }
    var most = state
    most.memory.meters[0].drawn = Energy(nanojoules: Int128.max)
    #expect(throws: Never.self) { try DaemonState(most.encoded) }
  }
}
