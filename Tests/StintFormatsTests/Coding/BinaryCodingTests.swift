import StintFormats
import StintTestSupport
import StintUnits
import Testing

@Suite("Codec: binary format")
struct BinaryCodingTests {
  private struct Point: Codable, Equatable {
    var x: Int
    var name: String?
  }

  private func error<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Problem? {
    #expect(throws: Problem.self) { try BinaryDecoder(source: "s").decode(type, from: bytes) }
  }

  @Test("the bytes of values are those of the documented format")
  func bytes() throws {
    let encoder = BinaryEncoder()
    #expect(try encoder.encode(127) == [0x7F])
    #expect(try encoder.encode(300) == [0xC3, 0xAC, 0x02])
    #expect(try encoder.encode(-1) == [0xC4, 0])
    #expect(try encoder.encode([true, false]) == [0xC7, 2, 0xC2, 0xC1])
    #expect(try encoder.encode("é") == [0x82, 0xC3, 0xA9])
    #expect(try encoder.encode(1.0) == [0xC5, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
    #expect(try encoder.encode(TimeSpan(nanoseconds: 5)) == [5])
    #expect(
      try encoder.encode([Point(x: 1, name: nil), Point(x: 2, name: "a")])
        == [0xC7, 2, 0xC8, 1, 0, 1, 0x78, 1, 0xC8, 2, 1, 2, 0, 4, 0x6E, 0x61, 0x6D, 0x65, 0x81, 0x61])
  }

  @Test("values that follow each other are decoded one after the other")
  func selfDelimiting() throws {
    let encoder = BinaryEncoder()
    let points = [Point(x: 1, name: "a"), Point(x: -500, name: nil)]
    var reader = ByteReader(try points.flatMap { try encoder.encode($0) })
    for point in points { #expect(try BinaryDecoder().decode(Point.self, from: &reader) == point) }
    #expect(reader.remaining == 0)
  }

  @Test(
    "bytes after the value, unknown first bytes and impossible counts are reported with their offset"
  )
  func damage() {
    #expect(error(Int.self, [5, 6])?.description == "s: at byte 1: 1 byte follows the value")
    #expect(error(Int.self, [])?.description == "s: at byte 0: the data ends inside a value")
    #expect(error([Int].self, [0xC7, 1, 0xC9])?.description == "s: at byte 2: no value starts with byte 201")
    #expect(
      error([Int].self, [0xC7, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])?.code == .truncated)
    #expect(error(Int.self, [0xC3] + Array(repeating: 0xFF, count: 18) + [0x7F])?.code == .corrupt)
    #expect(error([String: Int].self, [0xC8, 1, 1, 5])?.description == "s: at byte 2: key 1 is not defined")
    #expect(error(String.self, [0x81, 0xFF])?.description == "s: at byte 1: a string is not valid UTF-8")
    #expect(
      error([String: Int].self, [0xC8, 2, 0, 1, 0x78, 5, 1, 5])?.description
        == "s: at byte 6: the key “x” appears twice")
  }

  @Test("a part that the type does not accept is reported with its path and without a remedy")
  func rejectedParts() throws {
    let bytes = try BinaryEncoder().encode(["a": ["b": "c"]])
    #expect(
      error([String: [String: Int]].self, bytes)?.description
        == "s: a.b: expected an integer, found a string")
    #expect(
      error([String: Point].self, bytes)?.description
        == "s: a.x: the key “x” is missing\ns: a.b: no key is named “b” here")
    let point = try BinaryEncoder().encode(["x": 1, "y": 2])
    #expect(error(Point.self, point)?.description == "s: y: no key is named “y” here")
    #expect(
      try BinaryDecoder(ignoresUnknownKeys: true).decode(Point.self, from: point) == Point(x: 1, name: nil))
  }

  @Test("a key of more than 64 bytes is written at each use; every other key is written only once")
  func longKeys() throws {
    func size(_ length: Int) throws -> Int {
      let key = String(repeating: "k", count: length)
      return try BinaryEncoder().encode(Array(repeating: [key: 1], count: 10)).count
    }
    #expect(try size(64) == 2 + 10 * 4 + 1 + 64)
    #expect(try size(65) == 2 + 10 * 5 + 10 * 65)
  }

  @Test("arrays that are nested beyond the depth limit are an error")
  func deep() {
    let limit = BinaryDecoder.depthLimit
    for depth in [limit + 1, 1_000_000] {
      #expect(error([Int].self, Array(repeating: [0xC7, 1], count: depth).flatMap(\.self))?.code == .depth)
    }
  }

  @Test("an encoding that is truncated at any byte gives an error")
  func truncated() throws {
    for seed in Trials(1_000, fewest: 10).seeds {
      var random = SeededGenerator(seed: seed)
      let bytes = try BinaryEncoder().encode(CodedSample.random(&random))
      for cut in bytes.indices {
        #expect(error(CodedSample.self, Array(bytes[..<cut]))?.code == .truncated)
      }
    }
  }

  @Test("20,000 encodings with changed bytes give an error or a value that can be encoded again")
  func mutated() throws {
    var random = SeededGenerator(seed: 7)
    var accepted = 0
    for _ in 0..<200 {
      let bytes = try BinaryEncoder().encode(CodedSample.random(&random))
      for _ in 0..<100 {
        var damaged = bytes
        for _ in 0..<random.pick([1, 1, 1, 2, 5]) {
          damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        do {
          let value = try BinaryDecoder().decode(CodedSample.self, from: damaged)
          _ = try BinaryEncoder().encode(value)
          accepted += 1
        } catch {
          #expect(!error.cause.isEmpty)
        }
      }
    }
    #expect((1_000..<19_000).contains(accepted))
  }

  @Test("random bytes give an error or a value")
  func noise() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<Trials(100_000).count {
      let length = Int.random(in: 0..<40, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) | random.pick([0, 0xC0]) }
      do {
        _ = try BinaryDecoder().decode([[String: [Int]]].self, from: bytes)
      } catch {
        #expect(!error.cause.isEmpty)
      }
    }
  }
}
