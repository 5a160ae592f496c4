import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("Zone facts, without a governor") struct ZoneFactsTests {
  private static let plain = Vocabulary(manifests: GovernorBench.manifests)
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func vocabulary(_ name: String, _ centre: Coordinate, radius: Double = 100) -> Vocabulary {
    let zone = Zone(shape: .circle(centre, radius: radius), enterAfter: .zero, exitAfter: .zero)
    return Self.plain.computing([
      ComputedFact(
        schema: FactSchema(path: "inside(\(name))", type: .boolean), source: .zone(zone, .inside)),
      ComputedFact(
        schema: FactSchema(path: "enter(\(name))", type: .boolean), source: .zone(zone, .enter)),
    ])
  }

  private func fix(_ place: Coordinate, _ vocabulary: Vocabulary, at now: Instant) throws -> FactTable {
    var facts = FactTable(count: vocabulary.facts.count)
    for (name, value) in [("latitude", place.latitude), ("longitude", place.longitude), ("accuracy", 5)] {
      facts.set(try #require(vocabulary.fact("test.sensor.\(name)")), .number(value), at: now)
    }
    return facts
  }

  @Test("after a fix inside a circle, the fact `inside` is true, and the fact `enter` is true for one step")
  func entering() throws {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    let vocabulary = vocabulary("p/home", home)
    var zones = ZoneFacts()
    zones.migrate(to: vocabulary, RenameMap(from: Self.plain, to: vocabulary))
    #expect(zones.zones.keys.sorted() == ["p/home"])
    #expect(zones.decides(try #require(vocabulary.fact("test.sensor.latitude"))))
    #expect(!zones.decides(try #require(vocabulary.fact("battery.level"))))
    let places = zones.drainChanged()
    #expect(places == [0, 1])
    zones.update(try fix(home.moved(north: 500, east: 0), vocabulary, at: start), vocabulary, at: start)
    #expect(zones.answer(.inside, 0) == .boolean(false))
    let now = start + .seconds(10)
    zones.update(try fix(home, vocabulary, at: now), vocabulary, at: now)
    #expect(zones.answer(.inside, 0) == .boolean(true))
    #expect(zones.answer(.enter, 0) == .boolean(true))
    let ended = [zones.endPulses(), zones.endPulses()]
    #expect(ended == [true, false])
    #expect(zones.answer(.enter, 0) == .boolean(false))
  }

  @Test("after a reload that changes its radius, a zone keeps a state whose validity was extended")
  func widened() throws {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    let (before, wider) = (vocabulary("p/home", home), vocabulary("p/home", home, radius: 110))
    var zones = ZoneFacts()
    zones.migrate(to: before, RenameMap(from: Self.plain, to: before))
    zones.update(try fix(home, before, at: start), before, at: start)
    zones.keep(until: start + .hours(1))
    // The last fix is older than 10 min.
    let now = start + .minutes(15)
    zones.migrate(to: wider, RenameMap(from: before, to: wider))
    zones.update(try fix(home, wider, at: start), wider, at: now)
    #expect(zones.answer(.inside, 0) == .boolean(true))
    zones.update(try fix(home, wider, at: start), wider, at: start + .hours(2))
    #expect(zones.answer(.inside, 0) == .unknown)
  }

  @Test("a renamed zone keeps its state; a zone at another location does not")
  func migration() throws {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    let (before, renamed) = (vocabulary("p/home", home), vocabulary("p/house", home))
    let moved = vocabulary("p/home", home.moved(north: 5000, east: 0))
    var zones = ZoneFacts()
    zones.migrate(to: before, RenameMap(from: Self.plain, to: before))
    zones.update(try fix(home, before, at: start), before, at: start)
    var other = zones
    zones.migrate(to: renamed, RenameMap(from: before, to: renamed))
    #expect(zones.answer(.inside, 0) == .boolean(true))
    other.migrate(to: moved, RenameMap(from: before, to: moved))
    #expect(other.answer(.inside, 0) == .unknown)
    // A restart restores the state by name.
    other.migrate(to: renamed, RenameMap(from: moved, to: renamed))
    other.restore(zones.memory)
    #expect(other.answer(.inside, 0) == .boolean(true))
  }
}
