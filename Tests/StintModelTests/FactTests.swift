import StintModel
import StintUnits
import Testing

@Suite struct FactTests {
  private let level = FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1)
  private let activity = FactSchema(path: "motion.activity", type: .symbol(["still", "walking"]))

  @Test("X09: values of the wrong type, out of range or not finite are rejected with a reason")
  func objections() {
    #expect(level.rejectionReason(for: .number(0.5)) == nil)
    #expect(level.rejectionReason(for: .unknown) == nil)
    #expect(level.rejectionReason(for: .number(.nan)) != nil)
    #expect(level.rejectionReason(for: .number(.infinity)) != nil)
    #expect(
      level.rejectionReason(for: .number(1.5))
        == "battery.level cannot be 150 %; its range is 0 % to 100 %")
    #expect(
      level.rejectionReason(for: .boolean(true))
        == "battery.level cannot have a value of this type; expected percent")
    #expect(activity.rejectionReason(for: .symbol(2)) != nil)
  }

  @Test("a fact's value is parsed from text such as `41 %` or `walking`; a wrong unit or word gives nil")
  func reading() {
    #expect(level.value(from: "41 %") == .number(0.41))
    #expect(level.value(from: "41 m") == nil)
    #expect(activity.value(from: "walking") == .symbol(1))
    #expect(activity.value(from: "flying") == nil)
    #expect(activity.value(from: "unknown") == .unknown)
  }

  @Test("X11: a fact is known at an age of exactly `max_age`, and unknown a nanosecond later")
  func staleness() {
    var table = FactTable(count: 1)
    table.set(0, .number(1), at: Instant(nanoseconds: 100))
    let age = TimeSpan(nanoseconds: 10)
    #expect(table.value(0, at: Instant(nanoseconds: 110), maxAge: age) == .number(1))
    #expect(table.value(0, at: Instant(nanoseconds: 111), maxAge: age) == .unknown)
    #expect(table.value(0, at: Instant(nanoseconds: 111), maxAge: nil) == .number(1))
  }

  @Test(
    "a vocabulary sorts facts by path, adds the governor's facts, and drops a second fact with an equal path")
  func vocabulary() {
    let manifest = Manifest(
      device: "a.b", kind: .sensor, title: "", states: [PowerState(name: "off", power: .zero, isOn: false)],
      facts: [level])
    let vocabulary = Vocabulary(
      manifests: [manifest], declared: [FactSchema(path: "battery.level", type: .boolean)])
    let published = vocabulary.facts.indices.filter { !vocabulary.isAbsent($0) }
    #expect(
      published.map { vocabulary.facts[$0].path } == [
        "a.b.available", "a.b.on", "a.b.state", "battery.level",
      ])
    #expect(vocabulary.schema("battery.level") == level)
    #expect(vocabulary.fact("nobody.knows") == nil)
  }

  @Test("standard facts that no device publishes follow the published facts")
  func standardFacts() throws {
    let vocabulary = Vocabulary(manifests: [])
    #expect(vocabulary.facts == StandardFact.all.map(\.schema))
    #expect(vocabulary.facts.indices.allSatisfy { vocabulary.isAbsent($0) })
    let declared = Vocabulary(manifests: [], declared: [FactSchema(path: "screen.on", type: .boolean)])
    #expect(declared.fact("screen.on") == 0)
    #expect(!declared.isAbsent(0))
    #expect(declared.facts.count == StandardFact.all.count)
  }
}
