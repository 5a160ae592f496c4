import StintFormats
import StintUnits
import Testing

@Suite("Codec: enumerations with associated values, and types with two formats")
struct CodingCaseTests {
  @Test("an unknown case of an enumeration with associated values is reported at its key")
  func unknownCase() {
    func error(_ text: String) -> String? {
      #expect(throws: Problem.self) {
        try JSONCoding.decode([CodedCommand].self, from: Array(text.utf8), file: "c.json")
      }?.description
    }
    #expect(
      error(#"[{"stopp": {}}]"#)
        == "c.json:1:3: [0].stopp: no key is named “stopp” here; write the name of a case")
    #expect(error("[{}]") == "c.json:1:2: [0]: expected one key, found 0; write one key")
    #expect(
      error(#"[{"stop": {}, "wait": {}}]"#) == "c.json:1:2: [0]: expected one key, found 2; write one key")
    #expect(
      error(#"[{"stop": {"x": 1}}]"#)
        == "c.json:1:12: [0].stop.x: no key is named “x” here; remove it")
    #expect(
      error(#"[{"wait": {"_0": "1 s", "raeson": "x"}}]"#)
        == "c.json:1:25: [0].wait.raeson: no key is named “raeson” here; did you mean “reason”?")
    #expect(
      error(#"[{"wait": 4}]"#)
        == "c.json:1:11: [0].wait: expected an object, found a number; put keys and values between { and }")
  }

  @Test("the error for an unknown case proposes a case if the enumeration lists its coding keys")
  func listedCases() {
    let error = #expect(throws: Problem.self) {
      try JSONCoding.decode(Order.self, from: Array(#"{"claer": {}}"#.utf8), file: "")
    }
    #expect(error?.description == ":1:2: claer: no key is named “claer” here; did you mean “clear”?")
  }

  @Test("when a type catches an error and decodes another format, no unknown key is reported")
  func alternatives() throws {
    let text = #"[{"tags": {"count": 1, "more": 2}}]"#
    let values = try JSONCoding.decode([Alternative].self, from: Array(text.utf8), file: "")
    #expect(values == [Alternative(isOther: true)])
  }
}

/// An enumeration whose `CodingKeys` conform to `CaseIterable`, so that errors can suggest a key.
private enum Order: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case clear
    case load
  }

  case clear
  case load(Int)
}

/// A type that first decodes `tags` as an array, and decodes an object after an error.
private struct Alternative: Decodable, Equatable {
  private struct Inner: Decodable {
    var count: Int
  }

  private enum CodingKeys: CodingKey {
    case tags
  }

  var isOther: Bool

  init(isOther: Bool) { self.isOther = isOther }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    do {
      _ = try container.decode([Inner].self, forKey: .tags)
      isOther = false
    } catch {
      _ = try container.decode([String: Int].self, forKey: .tags)
      isOther = true
    }
  }
}
