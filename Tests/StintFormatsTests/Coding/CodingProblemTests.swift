import StintFormats
import StintTestSupport
import StintUnits
import Testing

@Suite("Codec: errors of JSON")
struct CodingProblemTests {
  private struct Envelope: Codable, Equatable {
    var request: CodedRequest
  }

  /// A correct envelope, in which each test replaces a part.
  private static let correct = """
    {"request": {
      "accuracy": 50, "every": "14 s", "mode": "low",
      "limits": {"count": 3}, "tags": ["a", "b"]
    }}
    """

  /// Decodes the correct envelope after replacing `old` by `new`. Returns the description of the error; an
  /// empty string if there is no error.
  private func errors(
    _ old: String, _ new: String, ignoresUnknownKeys: Bool = false
  ) throws -> String {
    let range = try #require(Self.correct.range(of: old))
    let text = Self.correct.replacingCharacters(in: range, with: new)
    do {
      _ = try JSONCoding.decode(
        Envelope.self, from: Array(text.utf8), file: "r.json", ignoresUnknownKeys: ignoresUnknownKeys)
      return ""
    } catch {
      return error.description
    }
  }

  static let replaced: [(old: String, new: String, error: String)] = [
    ("50", "50", ""), ("50", "5e1", ""), (#""14 s""#, #""0.5 min""#, ""),
    (#""low","#, #""low", "label": null,"#, ""),
    (
      "50", #""50""#,
      "2:15: request.accuracy: expected a number, found a string; write it without quotes and unit"
    ),
    (#""low""#, "3", #"2:44: request.mode: expected a string, found a number; put it between "quotes""#),
    (#""low""#, #""hihg""#, "2:44: request.mode: unknown word “hihg”; did you mean “high”?"),
    (#""low""#, #""x""#, "2:44: request.mode: unknown word “x”; known here: low, balanced, high"),
    (
      #""14 s""#, "14",
      "2:28: request.every: expected a string with a number and a unit, found a number; write it as \"14 s\""
    ),
    (
      #""14 s""#, #""14 m""#,
      "2:28: request.every: expected a time, found the length “14 m”; write it as “14 s”"
    ),
    (
      #""14 s""#, #""14""#,
      "2:28: request.every: expected a time, found the plain number “14”; write it as “14 s”"
    ),
    (#""14 s""#, #""300 y""#, "2:28: request.every: no unit is spelled “y”; write it as “14 s”"),
    (
      #""14 s""#, #""110000 d""#,
      "2:28: request.every: “110000 d” is too large; write at most 9223372036.854775807 s"
    ),
    (
      "3}", "3.5}",
      "3:23: request.limits.count: expected an integer, found a number; write it without quotes, fraction and unit"
    ),
    (
      "3}", "9223372036854775808}",
      "3:23: request.limits.count: 9223372036854775808 is out of range; "
        + "write a number between -9223372036854775808 and 9223372036854775807"
    ),
    (
      "3}", #"3, "until": "yesterday"}"#,
      "3:35: request.limits.until: “yesterday” is not a date and time; write it as 2026-05-16T08:00:00Z"
    ),
    (
      #"{"count": 3}"#, "7",
      "3:13: request.limits: expected an object, found a number; put keys and values between { and }"
    ),
    (#"["a", "b"]"#, "{}", "3:35: request.tags: expected an array, found an object; put it between [ and ]"),
    (#""b""#, "[]", #"3:41: request.tags[1]: expected a string, found an array; put it between "quotes""#),
    (#""mode": "low","#, "", "1:13: request.mode: the key “mode” is missing; add it"),
    (
      #""mode": "low","#, #""mod": "low","#,
      "1:13: request.mode: the key “mode” is missing; add it\n"
        + "r.json:2:36: request.mod: no key is named “mod” here; did you mean “mode”?"
    ),
    (
      #""low","#, #""low", "lable": "x","#,
      "2:51: request.lable: no key is named “lable” here; did you mean “label”?"
    ),
    (
      #""low","#, #""low", "zz": 1,"#,
      "2:51: request.zz: no key is named “zz” here; known here: accuracy, every, mode, label, limits, tags"
    ),
    (
      #""low","#, #""low", "mode": "low","#,
      "2:51: mode: the key “mode” appears twice; keep one of the two"
    ),
    ("}}", #"}, "more": 1}"#, "4:4: more: no key is named “more” here; known here: request"),
    (
      "\"tags\": [", "\"tags\": [1,",
      #"3:36: request.tags[0]: expected a string, found a number; put it between "quotes""#
    ),
  ]

  @Test(
    "a wrong member or element is reported with its location, path, cause and remedy",
    arguments: replaced)
  func exactTexts(old: String, new: String, error: String) throws {
    #expect(try errors(old, new) == (error.isEmpty ? "" : "r.json:" + error))
  }

  @Test("all unknown keys of a value are reported together, in order of location")
  func unknownKeys() throws {
    let error = try errors("{\"request\"", "{\"b\": 1, \"a\": 2, \"request\"")
    #expect(error.split(separator: "\n").count == 2)
    #expect(error.hasPrefix("r.json:1:2: b: no key is named “b” here"))
    let nested = try errors(#""count""#, #""cuont": 2, "count""#)
    #expect(
      nested == "r.json:3:14: request.limits.cuont: no key is named “cuont” here; known here: count, until")
  }

  @Test("an object with 100,000 unknown keys gives 100 errors whose texts contain no control characters")
  func manyUnknownKeys() {
    let members = (0..<100_000).map { "\"\\u0007\($0)\": 0" }.joined(separator: ",")
    let error = #expect(throws: Problem.self) {
      try JSONCoding.decode(CodedSample.Empty.self, from: Array("{\(members)}".utf8), file: "")
    }
    #expect(error?.all.count == 100)
    #expect(error?.description.contains("\u{7}") == false)
  }

  @Test("unknown keys are accepted if the reader ignores them; a missing key is still an error")
  func ignoredKeys() throws {
    #expect(try errors("{\"request\"", "{\"b\": 1, \"request\"", ignoresUnknownKeys: true) == "")
    #expect(
      try errors(#""mode": "low","#, #""mod": "low","#, ignoresUnknownKeys: true)
        == "r.json:1:13: request.mode: the key “mode” is missing; add it")
  }

  @Test("JSON with one changed byte gives a value, or an error with a location")
  func mutated() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<20 {
      let text = Array(try JSONCoding.line(of: CodedSample.random(&random)).utf8)
      for _ in 0..<Trials(10_000).count {
        var damaged = text
        damaged[random.pick(Array(text.indices))] = UInt8.random(in: 0x20...0x7E, using: &random)
        do {
          _ = try JSONCoding.decode(CodedSample.self, from: damaged, file: "")
        } catch {
          #expect(error.place.text.line == 1)
        }
      }
    }
  }

  @Test("wrong raw values, coordinates and elements are reported with their reason")
  func otherCauses() {
    func error<Value: Decodable>(_ type: Value.Type, _ text: String) -> String? {
      #expect(throws: Problem.self) {
        try JSONCoding.decode(type, from: Array(text.utf8), file: "")
      }?.description
    }
    #expect(error(CodedSample.Level.self, "3") == ":1:1: unknown value 3")
    #expect(
      error([Coordinate].self, "[[91, 0]]")
        == ":1:2: [0]: latitude 91.0 is out of range; write the latitude (-90 to 90), then the longitude (-180 to 180)"
    )
    #expect(
      error(Coordinate.self, "[1]") == ":1:1: expected two numbers, found 1; write [47.05, 8.31]")
    #expect(
      error([CodedRequest.Mode: Int].self, #"["low"]"#)
        == ":1:1: Expected collection of key-value pairs; encountered odd-length array instead")
    #expect(error([Int: Int].self, #"{"x": 1}"#)?.hasPrefix(":1:1: Expected Int key") == true)
    #expect(
      error(CodedSample.Empty.self, "5")
        == ":1:1: expected an object, found a number; put keys and values between { and }")
    #expect(error(UInt8.self, "1e300") == ":1:1: 1e+300 is out of range; write a number between 0 and 255")
    #expect(error(Float.self, "1e300") == ":1:1: 1e+300 is out of range; write at most 3.4e38")
    #expect(
      error(Energy.self, #""5 W""#) == ":1:1: expected an energy, found the power “5 W”; write it as “600 mJ”"
    )
  }
}
