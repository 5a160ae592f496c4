import StintModel
import StintUnits
import Testing

@Suite("Families of facts: keys and paths") struct FactFamilyTests {
  static func family(_ path: String = "reader.tag.*", keys: Int = 2, maxAge: TimeSpan? = .seconds(30))
    -> FactSchema
  {
    var schema = FactSchema(
      path: path, type: .quantity(.length), range: 0...100, maxAge: maxAge, device: "reader")
    schema.keys = keys
    return schema
  }

  @Test("a path belongs to a family when its last word consists of letters, digits and underscores")
  func keys() {
    let family = Self.family()
    for key in ["4711", "a", "_", "Z_9", String(repeating: "k", count: 64)] {
      #expect(family.key(of: "reader.tag.\(key)") == key)
      #expect(family.keyed(key).path == "reader.tag.\(key)" && family.keyed(key).keys == nil)
    }
    for path in [
      "reader.tag", "reader.tag.", "reader.tag.a.b", "reader.tag.a-b", "reader.tag.ä", "other.tag.1",
      "reader.tag." + String(repeating: "k", count: 65),
    ] {
      #expect(family.key(of: path) == nil, "\(path)")
    }
  }

  @Test("a full family refuses a further key until a key is withdrawn or older than the maximum age")
  func bound() {
    let family = Self.family()
    var keys = FactKeys()
    func at(_ second: Int64) -> Instant { .epoch + .seconds(second) }
    let isSet = ["b", "a"].map { keys.set($0, .number(1), of: family, at: at(0)) }
    #expect(isSet == [true, true])
    #expect(keys.entries.map(\.key) == ["a", "b"])
    var isAdmitted = keys.set("c", .number(1), of: family, at: at(30))
    #expect(!isAdmitted && keys["c"] == nil)
    isAdmitted = keys.set("a", .number(2), of: family, at: at(30))
    #expect(isAdmitted && keys["a"]?.value == .number(2))
    isAdmitted = keys.set("c", .number(1), of: family, at: at(31))
    #expect(isAdmitted && keys.entries.map(\.key) == ["a", "c"])
    isAdmitted = keys.set("a", .unknown, of: family, at: at(31))
    #expect(isAdmitted)
    isAdmitted = keys.set("d", .number(1), of: family, at: at(31))
    #expect(isAdmitted && keys.entries.map(\.key) == ["c", "d"])
  }

  @Test("a family without a maximum age never forgets a key by itself")
  func withoutAge() {
    let family = Self.family(keys: 1, maxAge: nil)
    var keys = FactKeys()
    let first = keys.set("a", .number(1), of: family, at: .epoch)
    let second = keys.set("b", .number(1), of: family, at: .epoch + .hours(1000))
    #expect(first && !second)
  }

  @Test("a named fact is a published fact before the computed facts, and the index of no single fact changes")
  func indexes() throws {
    var manifest = Manifest(device: "reader", kind: .source, title: "")
    manifest.facts = [
      Self.family(), FactSchema(path: "reader.count", type: .quantity(.none), device: "reader"),
    ]
    let plain = Vocabulary(manifests: [manifest])
    #expect(plain.families.map(\.path) == ["reader.tag.*"] && plain.fact("reader.tag.*") == nil)
    func named(_ path: String) throws -> ComputedFact {
      ComputedFact(schema: try #require(plain.keyedSchema(path)), source: .keyed)
    }
    let rule = ComputedFact(
      schema: FactSchema(path: "in", type: .boolean), source: .rule(RuleID(policy: "p", rule: "r")))
    let whole = plain.computing([try named("reader.tag.9"), rule, try named("reader.tag.10")])
    #expect(whole.facts.prefix(plain.facts.count) == plain.facts[...])
    #expect(whole.facts.suffix(3).map(\.path) == ["reader.tag.10", "reader.tag.9", "in"])
    #expect(whole.firstComputed == plain.facts.count + 2 && whole.computed == [rule])
    #expect(whole.schema("reader.tag.9")?.maxAge == .seconds(30))
    #expect(whole.computing([]) == plain)
    var grown = plain.computing([rule])
    grown.add(try named("reader.tag.9"))
    #expect(
      grown.fact("in") == plain.facts.count + 1 && grown.keyed == plain.facts.count..<plain.facts.count + 1)
  }

  @Test(
    "a manifest with an invalid family has one fault",
    arguments: [
      (0, "tag.*", "has 0 keys; 1 to 256 are allowed"), (257, "tag.*", "has 257 keys; 1 to 256 are allowed"),
      (4, "tag", "only a family of facts, such as “tag.*”, has “keys”"),
      (nil, "tag.*", "is a family of facts, and has no number of “keys”"),
      (4, "one.*", "“reader.one.a” is a fact of its own and of the family “reader.one.*”"),
    ] as [(Int?, String, String)])
  func faults(keys: Int?, name: String, sentence: String) {
    var family = Self.family("reader.\(name)")
    family.keys = keys
    var manifest = Manifest(device: "reader", kind: .source, title: "")
    manifest.facts = [family, FactSchema(path: "reader.one.a", type: .boolean, device: "reader")]
    let faults = manifest.faults()
    #expect(faults.count == 1 && faults.first?.sentence.contains(sentence) == true, "\(faults)")
  }

  @Test("a family that is read on request is a fault of the manifest")
  func reading() {
    var family = Self.family()
    family.reading = FactReading(every: .seconds(10))
    var manifest = Manifest(device: "reader", kind: .source, title: "")
    manifest.facts = [family]
    #expect(manifest.faults().map(\.sentence) == ["a family of facts cannot be read on request"])
  }
}
