import StintFormats
import StintUnits
import Testing

@Suite("Codec: values that cannot be encoded")
struct EncodingProblemTests {
  /// A linked list. Each element contains the next element, so the depth is the number of elements.
  private final class Chain: Codable {
    let next: Chain?

    init(next: Chain?) { self.next = next }

    static func make(_ length: Int) -> Chain {
      (0..<length - 1).reduce(Chain(next: nil)) { chain, _ in Chain(next: chain) }
    }
  }

  /// Encodes a key twice.
  private struct Repeating: Encodable {
    enum Key: String, CodingKey {
      case first
      case again
    }

    /// The number of other keys.
    let others: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingStep.self)
      for number in 0..<others { try container.encode(number, forKey: CodingStep(intValue: number)) }
      try container.encode(1, forKey: CodingStep(intValue: 0))
    }
  }

  /// Encodes an array and an object as one value.
  private struct Mixed: Encodable {
    func encode(to encoder: any Encoder) throws {
      var items = encoder.unkeyedContainer()
      try items.encode(1)
      var members = encoder.container(keyedBy: CodingStep.self)
      try members.encode(1, forKey: CodingStep(intValue: 0))
    }
  }

  private struct CodingStep: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = "\(intValue)" }
  }

  private func error(_ value: some Encodable) -> String? {
    #expect(throws: Problem.self) { try JSONCoding.line(of: value) }?.description
  }

  @Test(
    "a number that is not finite is an error in JSON and is kept in the binary format",
    arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(number: Double) throws {
    #expect(
      error(["a": [1, number]])
        == "a[1]: the number is \(number); encode only finite numbers, or nil for a missing number")
    #expect(error(Float(number))?.hasPrefix("the number is \(number)") == true)
    let bytes = try BinaryEncoder().encode([number])
    #expect(try BinaryDecoder().decode([Double].self, from: bytes)[0].bitPattern == number.bitPattern)
  }

  @Test(
    "128 nested levels are encoded and read in JSON, 64 in the binary format; one more level is an error",
    arguments: [true, false])
  func depth(isText: Bool) throws {
    let limit = isText ? JSONReader.depthLimit : BinaryDecoder.depthLimit
    if isText {
      let line = try JSONCoding.line(of: Chain.make(limit))
      _ = try JSONCoding.decode(Chain.self, from: Array(line.utf8), file: "")
    } else {
      _ = try BinaryDecoder().decode(Chain.self, from: try BinaryEncoder().encode(Chain.make(limit)))
    }
    for length in [limit + 1, 3_000] {
      let problem = #expect(throws: Problem.self) {
        if isText {
          _ = try JSONCoding.line(of: Chain.make(length))
        } else {
          _ = try BinaryEncoder().encode(Chain.make(length))
        }
      }
      #expect(problem?.code == .depth)
    }
  }

  @Test("a key that is encoded twice is an error in small and large objects", arguments: [1, 8, 9, 100])
  func twice(others: Int) {
    #expect(error([Repeating(others: others)]) == "[0]: the key “0” is encoded twice")
  }

  @Test("a value that encodes an array and an object is an error")
  func mixed() {
    #expect(error(["x": Mixed()]) == "x: the value encodes two different kinds of containers")
  }
}
