import Testing

/// Every numbered behaviour has a test whose title contains its id.
@Suite struct BehaviourTests {
  /// The number of behaviours for each letter: general, location, regions and visits, motion, networking,
  /// across all areas.
  static let counts: KeyValuePairs = ["G": 6, "L": 36, "R": 23, "M": 18, "N": 24, "X": 12]

  /// All ids: `G01`, `G02`, up to `X12`.
  static let numbers: [String] = counts.flatMap { letter, count in
    (1...count).map { letter + ($0 < 10 ? "0" : "") + String($0) }
  }

  /// Behaviours that have no test yet. A behaviour with a test must not be in this set.
  static let open: Set<String> = []

  static let titles: [String] = ["Tests", "Plugins"].flatMap { top in
    SourceTree.paths(under: top).filter { $0.hasSuffix(".swift") }.flatMap { path in
      titles(in: String(decoding: SourceTree.bytes(of: path), as: UTF8.self))
    }
  }

  /// Returns the first string literal in the parentheses of each `@Test`.
  static func titles(in text: String) -> [String] {
    var titles: [String] = []
    var rest = text[...]
    while let mark = rest.firstRange(of: "@Test(") {
      rest = rest[mark.upperBound...]
      guard let open = rest.firstIndex(where: { !$0.isWhitespace }), rest[open] == "\"" else { continue }
      let title = rest[rest.index(after: open)...]
      guard let close = title.firstIndex(of: "\"") else { continue }
      titles.append(String(title[..<close]))
      rest = title[close...]
    }
    return titles
  }

  /// Returns the ids in a title: words such as `L05`, also in `L05-L07,` or `L05:`.
  static func numbers(in title: String) -> Set<String> {
    Set(title.split { !$0.isLetter && !$0.isNumber }.map(String.init)).intersection(numbers)
  }

  @Test("every numbered behaviour has a test with its id")
  func complete() {
    #expect(Self.numbers.count == 119)
    let tested = Set(Self.titles.flatMap { Self.numbers(in: $0) })
    let missing = Self.numbers.filter { !tested.contains($0) && !Self.open.contains($0) }
    #expect(missing.isEmpty, "without a test: \(missing.joined(separator: " "))")
    let done = Self.open.intersection(tested).sorted()
    #expect(done.isEmpty, "no longer open: \(done.joined(separator: " "))")
  }

  /// The ids of the tested complaints about other systems. They concern hardware left on, stop detection, old
  /// fixes, deferral, endless pauses, deferred work, transfers that do not start, regions, oscillation and
  /// fixed thresholds.
  static let complaintIDs = ["W1", "W4", "W5", "W6", "W7", "W8", "W9", "W11", "W14", "W15"]

  @Test("every listed complaint about other systems has a test with its id")
  func complaints() {
    let words = Set(Self.titles.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
    let missing = Self.complaintIDs.filter { !words.contains($0) }
    #expect(missing.isEmpty, "without a test: \(missing.joined(separator: " "))")
  }

  @Test("titles are found on the line of `@Test` and on the next line, and ids are found as whole words")
  func reading() {
    let text = """
      @Test("L05 L06: stops") func a() {}
      @Test(
        "M10: slows", arguments: [1]) func b() {}
      @Test func c() {}
      @Test(arguments: ["L07"]) func d() {}
      """
    #expect(Self.titles(in: text) == ["L05 L06: stops", "M10: slows"])
    #expect(Self.numbers(in: "L05 XL06 L0 G07 (X12)") == ["L05", "X12"])
  }
}
