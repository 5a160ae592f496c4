import StintFormats
import StintTestSupport
import StintUnits
import Testing

@Suite("JSON reader")
struct JSONReaderTests {
  /// JSON texts that RFC 8259 allows, each with its compact form.
  static let accepted: [(String, String)] = [
    ("null", "null"), (" \t\r\n true ", "true"), ("false", "false"), ("0", "0"), ("-0", "-0.0"),
    ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775808", "9223372036854775808"), ("1.5", "1.5"), ("1E2", "100.0"), ("1e-3", "0.001"),
    ("0.1", "0.1"), ("1e-400", "0.0"), (#""""#, #""""#), (#""a\"b\\c\/d""#, #""a\"b\\c/d""#),
    (#""\b\f\n\r\t""#, #""\u0008\u000c\n\r\t""#), (#""\u00e9\u20AC\uD83D\ude00""#, #""é€😀""#),
    ("[]", "[]"), ("[ ]", "[]"), ("{}", "{}"), ("[1, [2], {}]", "[1,[2],{}]"),
    (#"{"b": 1, "a": {"c": [true]}}"#, #"{"b":1,"a":{"c":[true]}}"#), (#"{"": 1}"#, #"{"":1}"#),
    ("\u{FEFF}{}", "{}"),
  ]

  @Test("JSON that RFC 8259 allows is read and written again with equal meaning", arguments: accepted)
  func accepts(text: String, compact: String) throws {
    let value = try JSONReader.value(of: text, source: "t.json")
    #expect(JSONWriter.text(of: value) == compact)
    let again = try JSONReader.value(of: JSONWriter.text(of: value, .pretty), source: "t.json")
    #expect(JSONWriter.text(of: again) == compact)
  }

  /// Texts that the reader rejects, with the location and code of the error.
  static let refused: [(String, String, Problem.Code)] = [
    ("", "1:1", .empty), ("  \n ", "2:2", .empty), ("nul", "1:1", .syntax), ("nulls", "1:1", .syntax),
    ("tru", "1:1", .syntax), ("'a'", "1:1", .syntax), ("a", "1:1", .syntax), ("[1,]", "1:3", .syntax),
    ("{\"a\":1,}", "1:7", .syntax), ("[1 2]", "1:4", .syntax), ("[1", "1:3", .truncated),
    ("[", "1:2", .truncated),
    ("{\"a\"", "1:5", .syntax), ("{\"a\":", "1:6", .truncated), ("{\"a\":1", "1:7", .truncated),
    ("{a:1}", "1:2", .syntax),
    ("{\"a\":1,\n \"a\":2}", "2:2", .duplicate), ("01", "1:1", .syntax), ("1.", "1:3", .truncated),
    ("+1", "1:1", .syntax),
    (".5", "1:1", .syntax), ("1.e2", "1:3", .syntax), ("1e", "1:3", .truncated), ("-", "1:2", .truncated),
    ("- 1", "1:2", .syntax),
    ("NaN", "1:1", .syntax), ("Infinity", "1:1", .syntax), ("1e999", "1:1", .value), ("0x10", "1:2", .syntax),
    ("60 W", "1:4", .syntax), ("60mW", "1:3", .syntax), ("\"abc", "1:1", .truncated),
    ("\"a\nb\"", "1:3", .syntax),
    ("\"a\tb\"", "1:3", .syntax), ("\"\\x\"", "1:2", .syntax), ("\"\\u12g4\"", "1:2", .syntax),
    ("\"\\uD800\"", "1:2", .syntax), ("\"\\uDC00\"", "1:2", .syntax), ("\"\\uD800\\u0041\"", "1:2", .syntax),
    ("{} x", "1:4", .syntax), ("// no\n{}", "1:1", .syntax), ("[\"é\", x]", "1:7", .syntax),
  ]

  @Test(
    "texts that are not JSON, duplicate keys and too large numbers are rejected with the error's location",
    arguments: refused)
  func refuses(text: String, place: String, code: Problem.Code) {
    let error = #expect(throws: Problem.self) { try JSONReader.value(of: text, source: "t.json") }
    #expect(error?.place.text.description == place)
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix("t.json:\(place): ") == true)
  }

  @Test(
    "megabytes of one opening bracket are rejected without a crash; `[` and `{` give a depth error",
    arguments: ["[", "{\"a\":", "("])
  func deep(piece: String) {
    let bytes = Array(
      String(repeating: piece, count: Trials(10_000_000, fewest: 1_000_000).count / piece.utf8.count).utf8)
    let error = #expect(throws: Problem.self) { try JSONReader.value(of: bytes, source: "deep.json") }
    #expect(error?.code == (piece == "(" ? .syntax : .depth))
  }

  @Test("128 nested levels are read, 129 nested levels are rejected")
  func depthLimit() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    _ = try JSONReader.value(of: nested(JSONReader.depthLimit), source: "t.json")
    let error = #expect(throws: Problem.self) {
      try JSONReader.value(of: nested(JSONReader.depthLimit + 1), source: "t.json")
    }
    #expect(error?.place.text.column == 129)
  }

  @Test("every value and key has a location whose column counts characters, not bytes")
  func places() throws {
    let value = try JSONReader.value(of: "{\n  \"é\": [1,\n   \"x\"], \"z\": null}", source: "t.json")
    let members = try #require(value.members)
    #expect(members.map(\.name) == ["é", "z"])
    #expect(members[0].place == TextLocation(line: 2, column: 3))
    #expect(members[0].value.place == TextLocation(line: 2, column: 8))
    #expect(members[0].value.items?[1].place == TextLocation(line: 3, column: 4))
    #expect(members[1].place == TextLocation(line: 3, column: 10))
  }

  @Test(
    "invalid UTF-8 is rejected inside and outside strings, and so is a NUL byte",
    arguments: [[0x22, 0xFF, 0x22], [0xC3], [0]])
  func illFormed(bytes: [UInt8]) {
    let error = #expect(throws: Problem.self) { try JSONReader.value(of: bytes, source: "t.json") }
    #expect(error?.code == .syntax)
  }

  @Test("JSON cut at any byte is rejected; JSON with a changed byte gives a value or an error, no crash")
  func everyCut() throws {
    let text = Array(#"{"a": [1.5e3, "é\u0041", {"b": null}], "c": -0.1}"#.utf8)
    for cut in 0..<text.count {
      #expect(throws: Problem.self) { try JSONReader.value(of: Array(text[..<cut]), source: "t.json") }
      for byte in UInt8.min...UInt8.max {
        var damaged = text
        damaged[cut] = byte
        do {
          _ = try JSONReader.value(of: damaged, source: "t.json")
        } catch {
          #expect(error.place.text.line >= 1)
        }
      }
    }
  }
}
