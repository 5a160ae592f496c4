import StintFormats
import StintTestSupport
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Codec: round trips")
struct CodingRoundTripTests {
  /// Checks that encoding and decoding, in JSON and in binary, preserve the value and the encoded bytes.
  private func check<Value: Codable & Equatable>(
    _ value: Value, location: SourceLocation = #_sourceLocation
  ) throws {
    let line = try JSONCoding.line(of: value)
    let pretty = try JSONCoding.text(of: value, .pretty)
    for text in [line, pretty] {
      let decoded = try JSONCoding.decode(Value.self, from: Array(text.utf8), file: "t.json")
      #expect(decoded == value, sourceLocation: location)
      #expect(try JSONCoding.line(of: decoded) == line, sourceLocation: location)
    }
    let bytes = try BinaryEncoder().encode(value)
    let decoded = try BinaryDecoder().decode(Value.self, from: bytes)
    #expect(decoded == value, sourceLocation: location)
    #expect(try BinaryEncoder().encode(decoded) == bytes, sourceLocation: location)
  }

  @Test("encoding and decoding random values, in JSON and in binary, gives equal values and equal bytes")
  func randomValues() throws {
    for seed in Trials(20_000, fewest: 200).seeds {
      var random = SeededGenerator(seed: seed)
      try check(CodedSample.random(&random))
    }
  }

  @Test("integers at the limits of their types keep all digits in JSON and in binary")
  func integers() throws {
    try check(CodedIntegers.smallest)
    try check(CodedIntegers.largest)
    #expect(try JSONCoding.line(of: [UInt64.max]) == "[18446744073709551615]")
    #expect(try JSONCoding.line(of: [Int64.min]) == "[-9223372036854775808]")
    #expect(throws: Problem.self) { try JSONCoding.line(of: [UInt128.max]) }
  }

  @Test("top-level values of every kind are equal after encoding and decoding")
  func roots() throws {
    try check(5)
    try check("text")
    try check(true)
    try check([1.5, -0.0])
    try check(Optional(4))
    try check(Int?.none)
    try check([Int?.none, 1])
    try check([String: Int]())
    try check(CodedCommand.twice(.twice(.stop)))
    try check(CodedSample.Empty())
    try check(1..<5)
    try check(Float(0.1))
    try check(Float.greatestFiniteMagnitude)
  }

  @Test("an encoded object keeps the order of properties and omits nil; dictionaries and sets are sorted")
  func order() throws {
    let request = CodedRequest(
      accuracy: 50, every: .seconds(14), mode: .low, label: nil,
      limits: CodedRequest.Limits(count: 3, until: .epoch), tags: [])
    #expect(
      try JSONCoding.line(of: request)
        == #"{"accuracy":50.0,"every":"14 s","mode":"low","#
        + #""limits":{"count":3,"until":"1970-01-01T00:00:00Z"},"tags":[]}"#)
    #expect(try JSONCoding.line(of: ["b": 1, "c": 2, "a": 0]) == #"{"a":0,"b":1,"c":2}"#)
    #expect(try JSONCoding.line(of: Set([3, 1, 2])) == "[1,2,3]")
    #expect(try JSONCoding.line(of: [CodedRequest.Mode.low: 1, .high: 2]) == #"["high",2,"low",1]"#)
    #expect(
      try JSONCoding.line(of: [CodedCommand.wait(.seconds(1), reason: nil), .stop])
        == #"[{"wait":{"_0":"1 s"}},{"stop":{}}]"#)
  }

  @Test("equal sets that were filled in different orders give the same bytes")
  func deterministicSets() throws {
    var set: Set<Double?> = []
    for number in 0..<200 { set.insert(Double(number)) }
    let grown = Set((0..<200).reversed().map { Double?(Double($0)) })
    #expect(try BinaryEncoder().encode(set) == BinaryEncoder().encode(grown))
    #expect(try JSONCoding.line(of: set) == JSONCoding.line(of: grown))
  }

  @Test("values in nested containers and in a `super` container are equal after encoding and decoding")
  func handWritten() throws {
    let value = FlattenedValue(name: "a", inner: 3, list: [1, 2])
    try check(value)
    #expect(
      try JSONCoding.line(of: value) == #"{"outer":{"name":"a","inner":[3]},"list":[1,2],"super":{"base":3}}"#
    )
  }

  @Test("encoding and decoding ten times as many elements takes at most 40 times as long")
  func linearTime() throws {
    func duration(_ count: Int) throws -> TimeSpan {
      let values = (0..<count).map { CodedRequest.Limits(count: $0, until: nil) }
      let keyed = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
      // Other tests of the process run at the same time, so only the processor time of this thread is
      // measured.
      let start = threadTime()
      let bytes = try BinaryEncoder().encode(values)
      #expect(try BinaryDecoder().decode([CodedRequest.Limits].self, from: bytes) == values)
      let text = Array(try JSONCoding.line(of: keyed).utf8)
      #expect(try JSONCoding.decode([String: Int].self, from: text, file: "") == keyed)
      return threadTime() - start
    }
    let count = Tier.current >= .gate ? 100_000 : 20_000
    let (small, large) = (try duration(count / 10), try duration(count))
    // Cache misses and page faults also take time, so the limit is above 10. A quadratic coder would need 100
    // times as long.
    #expect(large.nanoseconds < 40 * small.nanoseconds)
  }

  private func threadTime() -> Instant {
    var time = timespec()
    precondition(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// A value whose encoded structure differs from its stored properties.
private struct FlattenedValue: Codable, Equatable {
  private enum OuterKey: CodingKey {
    case outer
    case list
  }

  private enum InnerKey: CodingKey {
    case name
    case inner
  }

  private enum BaseKey: CodingKey {
    case base
  }

  var name: String
  var inner: Int
  var list: [Int]

  init(name: String, inner: Int, list: [Int]) {
    self.name = name
    self.inner = inner
    self.list = list
  }

  init(from decoder: any Decoder) throws {
    let outer = try decoder.container(keyedBy: OuterKey.self)
    let nested = try outer.nestedContainer(keyedBy: InnerKey.self, forKey: .outer)
    name = try nested.decode(String.self, forKey: .name)
    var single = try nested.nestedUnkeyedContainer(forKey: .inner)
    inner = try single.decode(Int.self)
    list = try outer.decode([Int].self, forKey: .list)
    let base = try outer.superDecoder().container(keyedBy: BaseKey.self)
    #expect(try base.decode(Int.self, forKey: .base) == inner)
  }

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: OuterKey.self)
    var nested = outer.nestedContainer(keyedBy: InnerKey.self, forKey: .outer)
    var items = outer.nestedUnkeyedContainer(forKey: .list)
    try nested.encode(name, forKey: .name)
    var single = nested.nestedUnkeyedContainer(forKey: .inner)
    for item in list { try items.encode(item) }
    try single.encode(inner)
    var base = outer.superEncoder().container(keyedBy: BaseKey.self)
    try base.encode(inner, forKey: .base)
  }
}
