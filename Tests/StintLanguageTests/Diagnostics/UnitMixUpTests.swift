import StintAuthoring
import StintLanguage
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests quantities with a wrong unit in every position that accepts a quantity. The checker must reject each
/// quantity and propose a unit of the expected dimension.
@Suite("Wrong units")
struct UnitMixUpTests {
  /// Every dimension that has a unit, in the order of the units.
  private static let dimensions: [Dimension] = MeasureUnit.all.map(\.dimension).reduce(into: []) {
    if !$0.contains($1) { $0.append($1) }
  }

  /// A fact of each dimension.
  private static let vocabulary = Vocabulary(
    manifests: TestVocabulary.vocabulary.manifests + [
      Manifest(
        device: "lab.bench", kind: .source, title: "bench",
        facts: dimensions.enumerated().map { index, dimension in
          FactSchema(path: "lab.value\(index)", type: .quantity(dimension))
        })
    ])

  /// Positions that accept a quantity: the text before it, the text after it, and the expected dimension.
  private static let places: [(before: String, after: String, expected: Dimension)] =
    [
      ("rule r while screen.on for ", " { downgrade location.gnss to 100 m }", .time),
      ("rule r while screen.on in last ", " { downgrade location.gnss to 100 m }", .time),
      ("rule r while screen.on for 5 min tolerate ", " { downgrade location.gnss to 100 m }", .time),
      ("rule r every ", " { flush location.gnss }", .time),
      ("rule r every 5 min flex ", " { flush location.gnss }", .time),
      ("rule r when screen.on at most ", " { flush location.gnss }", .rate),
      ("rule r when screen.on { stop location.gnss for ", " }", .time),
      ("rule r when screen.on { stop location.gnss for 1 s doubling to ", " }", .time),
      ("rule r when screen.on { fix location.gnss to ", " timeout 20 s }", .length),
      ("rule r when screen.on { fix location.gnss to 25 m timeout ", " }", .time),
      ("rule r while screen.on { defer radio.cellular until battery.level > 5 % deadline ", " }", .time),
      ("rule r while avg(battery.level, ", ") < 20 % { downgrade location.gnss to 100 m }", .time),
      ("default location.gnss { accuracy ", " }", .length), ("default location.gnss { rate ", " }", .rate),
      ("default location.gnss { linger ", " }", .time), ("default location.gnss { latency ", " }", .time),
      ("param hold = 500 m in ", " .. 900000 km", .length),
    ]
    + dimensions.enumerated().flatMap { index, dimension in
      [
        ("rule r while lab.value\(index) > ", " { downgrade location.gnss to 100 m }", dimension),
        ("rule r while ", " < lab.value\(index) { downgrade location.gnss to 100 m }", dimension),
        ("rule r while lab.value\(index) below ", " { downgrade location.gnss to 100 m }", dimension),
        (
          "rule r while lab.value\(index) + ", " > lab.value\(index) { downgrade location.gnss to 100 m }",
          dimension
        ),
      ]
    }

  /// Unambiguous mistakes: the written unit, the expected dimension and the intended unit.
  private static let meant: [(written: String, expected: Dimension, unit: String)] = [
    ("m", .time, "min"), ("min", .length, "m"), ("km", .speed, "km/h"), ("m", .speed, "m/s"),
    ("km/h", .length, "km"),
    ("m/s", .length, "m"), ("MB", .throughput, "MB/s"), ("MB/s", .data, "MB"), ("mA", .charge, "mAh"),
    ("mAh", .current, "mA"), ("deg", .turning, "deg/s"), ("s", .length, "m"), ("J", .power, "W"),
    ("W", .energy, "Wh"),
    ("uW", .energy, "uJ"), ("C", .angle, "deg"), ("deg", .temperature, "C"), ("m/s", .acceleration, "m/s2"),
  ]

  @Test(
    "F13: 2000 quantities with a wrong unit are rejected with a hint about the expected dimension",
    arguments: 0..<20)
  func mixUps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let place = Self.places[Int.random(in: 0..<Self.places.count, using: &random)]
      let wrong = MeasureUnit.all.filter { $0.dimension != place.expected }
      let unit = wrong[Int.random(in: 0..<wrong.count, using: &random)]
      let number = "\(Int.random(in: 1...900, using: &random))"
      let written = "\(number)\(Bool.random(using: &random) ? " " : "")\(unit.symbol)"
      let marked = "policy \"p\"\n\(place.before)⟦\(written)⟧\(place.after)\n"
      try expect(MarkedSource(marked), number, unit, place.expected)
    }
  }

  private func expect(
    _ marked: MarkedSource, _ number: String, _ unit: MeasureUnit, _ expected: Dimension
  ) throws {
    let source = marked.source()
    let found = Checker.check([source], vocabulary: Self.vocabulary).diagnostics
    let refusal = try #require(
      found.first { $0.code == .wrongUnit && $0.labels.first?.span == marked.spans[0] }, "\(marked.text)")
    #expect(refusal.severity == .error)
    let hint = try #require(refusal.hint, "\(marked.text)")
    if let meant = Self.meant.first(where: { $0.written == unit.symbol && $0.expected == expected }) {
      #expect(hint.hasPrefix("did you mean “\(number) \(meant.unit)”?"), "\(marked.text): \(hint)")
    } else if expected == .rate, unit.dimension == .time {
      #expect(hint == "did you mean “1 per \(number) \(unit.symbol)”?", "\(marked.text)")
    } else if hint.hasPrefix("did you mean “") {
      let proposal = hint.dropFirst(14).prefix { $0 != "”" }
      #expect(try Quantity(parsing: String(proposal)).dimension == expected, "\(marked.text): \(hint)")
    } else {
      let units = MeasureUnit.all.filter { $0.dimension == expected }.map(\.symbol)
      #expect(hint.hasSuffix(" is written in " + units.joined(separator: ", ")), "\(marked.text): \(hint)")
    }
    guard let fix = refusal.fix else { return }
    var set = FixSet()
    set.insert(fix)
    let again = Checker.check(
      [SourceText(file: "fixed", bytes: set.applied(to: source.bytes))], vocabulary: Self.vocabulary
    ).diagnostics
    #expect(!again.contains { $0.code == .wrongUnit }, "\(marked.text): \(fix.replacement)")
  }
}
