import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The fact store, without a governor") struct FactStoreTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let declared = [
    FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1),
    FactSchema(path: "sensor.rate", type: .quantity(.none), fastest: .seconds(10)),
  ]

  private func machine(_ path: String, _ states: [String]) -> ComputedFact {
    ComputedFact(schema: FactSchema(path: path, type: .symbol(states)), source: .machine(initial: 0))
  }

  @Test("a value that the schema of its fact does not allow is rejected")
  func objections() {
    let vocabulary = Vocabulary(manifests: [], declared: declared)
    let store = FactStore(vocabulary, at: start)
    #expect(store.rejectionReason(for: .number(0.5), of: 0, in: vocabulary) == nil)
    #expect(store.rejectionReason(for: .number(1.5), of: 0, in: vocabulary) != nil)
    #expect(store.rejectionReason(for: .boolean(true), of: 0, in: vocabulary) != nil)
    #expect(store.rejectionReason(for: .unknown, of: 0, in: vocabulary) == nil)
  }

  @Test("values beyond the permitted burst wait for the timer, and then only the newest value is released")
  func rateLimit() {
    var store = FactStore(Vocabulary(manifests: [], declared: declared), at: start)
    let early = (0...FactSchema.burst).map { _ in store.admits(1, .number(1), at: start) }
    #expect(early.allSatisfy { $0 })
    #expect(store.nextTimer == .distantFuture)
    let late = [2.0, 3].map { store.admits(1, .number($0), at: start) }
    #expect(late == [false, false])
    #expect(store.nextTimer == start + .seconds(10))
    let none = store.released(at: start + .seconds(9))
    #expect(none.isEmpty)
    let released = store.released(at: start + .seconds(10))
    #expect(released.map(\.fact) == [1] && released.map(\.value) == [.number(3)])
    #expect(store.nextTimer == .distantFuture)
    // Facts without a rate limit are always admitted.
    let free = (0..<100).map { _ in store.admits(0, .number(0), at: start) }
    #expect(free.allSatisfy { $0 })
  }

  @Test("a migration keeps published facts, and states of state machines by name")
  func migration() {
    let plain = Vocabulary(manifests: [], declared: declared)
    let former = plain.computing([machine("p/m", ["a", "b"]), machine("p/gone", ["x", "y"])])
    let next = plain.computing([machine("p/m", ["c", "b"]), machine("p/new", ["q", "r"])])
    var store = FactStore(plain, at: start)
    store.set(0, .number(0.25), at: start)
    store.migrate(from: plain, to: former, RenameMap(from: plain, to: former), at: start)
    let machine = former.fact("p/m") ?? -1
    #expect(store.table.value(machine) == .symbol(0))
    store.set(machine, .symbol(1), at: start + .seconds(1))
    store.migrate(from: former, to: next, RenameMap(from: former, to: next), at: start + .seconds(2))
    #expect(store.table.count == next.facts.count)
    #expect(store.table.value(0) == .number(0.25))
    #expect(store.table.value(next.fact("p/m") ?? -1) == .symbol(1))
    #expect(store.table.instant(next.fact("p/m") ?? -1) == start + .seconds(1))
    #expect(store.table.value(next.fact("p/new") ?? -1) == .symbol(0))
  }

  @Test("the end of a fact is the instant at which it lost its value, even after a migration")
  func ends() {
    let plain = Vocabulary(manifests: [], declared: declared)
    let former = plain.computing([machine("p/m", ["a", "b"])])
    let next = plain.computing([machine("p/first", ["q", "r"]), machine("p/m", ["a", "b"])])
    var store = FactStore(former, at: start)
    let number = former.fact("p/m") ?? -1
    store.set(number, .unknown, at: start)
    #expect(store.end(of: number) == nil, "it was never known")
    store.set(number, .symbol(0), at: start)
    store.set(0, .number(0.25), at: start)
    store.set(0, .unknown, at: start + .seconds(3))
    store.set(0, .unknown, at: start + .seconds(4))
    #expect(store.end(of: 0) == start + .seconds(3) && store.end(of: number) == nil)
    store.set(number, .unknown, at: start + .seconds(5))
    #expect(store.end(of: number) == start + .seconds(5))
    store.migrate(from: former, to: next, RenameMap(from: former, to: next), at: start + .seconds(6))
    #expect(store.end(of: 0) == start + .seconds(3))
  }

  @Test("a restore changes only unknown facts, and uses only values that the schema accepts")
  func memory() {
    let vocabulary = Vocabulary(manifests: [], declared: declared)
    var before = FactStore(vocabulary, at: start)
    before.set(0, .number(0.25), at: start)
    before.set(1, .number(7), at: start)
    let memory = before.memory(in: vocabulary)
    #expect(memory.map(\.path) == ["battery.level", "sensor.rate"])
    var after = FactStore(vocabulary, at: start)
    after.set(1, .number(8), at: start + .seconds(5))
    let wrong = GovernorMemory.Fact(path: "battery.level", value: .number(9), instant: start)
    after.restore([wrong] + memory, in: vocabulary, at: start + .seconds(5))
    #expect(after.table.value(0) == .number(0.25) && after.table.instant(0) == start)
    #expect(after.table.value(1) == .number(8))
  }
}
