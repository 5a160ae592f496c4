import StintTestSupport
import StintUnits

/// A type with synthesized `Codable` conformance, like the requests of clients.
struct CodedRequest: Codable, Hashable {
  enum Mode: String, Codable, CaseIterable {
    case low
    case balanced
    case high
  }

  struct Limits: Codable, Hashable {
    var count: Int
    var until: Instant?
  }

  var accuracy: Double
  var every: TimeSpan
  var mode: Mode
  var label: String?
  var limits: Limits?
  var tags: [String]
}

/// A command with associated values.
indirect enum CodedCommand: Codable, Hashable {
  case stop
  case move(Double, to: [Int])
  case wait(TimeSpan, reason: String?)
  case twice(CodedCommand)
}

/// All integer types, with values at their limits; for `UInt128`, only up to the limit of `Int128`.
struct CodedIntegers: Codable, Hashable {
  var a: Int8
  var b: UInt8
  var c: Int16
  var d: UInt16
  var e: Int32
  var f: UInt32
  var g: Int64
  var h: UInt64
  var i: Int
  var j: UInt
  var k: Int128
  var l: Int128?
  var m: [UInt128]

  static let smallest = CodedIntegers(
    a: .min, b: .min, c: .min, d: .min, e: .min, f: .min, g: .min, h: .min, i: .min, j: .min, k: .min,
    l: .min, m: [0])
  static let largest = CodedIntegers(
    a: .max, b: .max, c: .max, d: .max, e: .max, f: .max, g: .max, h: .max, i: .max, j: .max, k: .max,
    l: .max, m: [UInt128(Int128.max)])
}

/// A type with a property of each kind that the codec supports.
struct CodedSample: Codable, Hashable {
  enum Level: Int, Codable {
    case first = 1
    case second = 2
  }

  struct Empty: Codable, Hashable {}

  var flag: Bool
  var level: Level
  var ratio: Float
  var number: Double
  var large: UInt64
  var text: String
  var request: CodedRequest?
  var commands: [CodedCommand]
  var gaps: [Int?]
  var names: [String: CodedRequest.Limits]
  var optionals: [String: Double?]
  var numbers: [Int: String]
  var modes: [CodedRequest.Mode: Int]
  var set: Set<String>
  var grid: [[Int16]]
  var instant: Instant
  var energy: Energy
  var power: Power
  var coordinate: Coordinate?
  var empty: Empty
}

extension CodedSample {
  /// Makes a random value whose properties often have extreme values.
  static func random(_ random: inout SeededGenerator) -> CodedSample {
    CodedSample(
      flag: random.once(in: 2), level: random.once(in: 2) ? .first : .second,
      ratio: Float(bitPattern: UInt32.random(in: 0..<0x7F80_0000, using: &random)),
      number: number(&random), large: UInt64(truncatingIfNeeded: integer(&random)), text: text(&random),
      request: random.once(in: 3) ? nil : request(&random),
      commands: list(&random) { command(&$0, depth: 3) },
      gaps: list(&random) { $0.once(in: 2) ? nil : Int(integer(&$0)) },
      names: dictionary(&random) { limits(&$0) },
      optionals: dictionary(&random) { $0.once(in: 2) ? nil : number(&$0) },
      numbers: Dictionary(list(&random) { (Int(integer(&$0)), text(&$0)) }) { old, _ in old },
      modes: [.high: Int(integer(&random)), .low: 2].filter { _ in random.once(in: 2) },
      set: Set(list(&random) { text(&$0) }),
      grid: list(&random) { list(&$0) { Int16.random(in: .min ... .max, using: &$0) } },
      instant: Instant(nanoseconds: integer(&random)),
      energy: Energy(nanojoules: Int128(integer(&random)) * Int128(integer(&random))),
      power: Power(nanowatts: integer(&random)),
      coordinate: Coordinate(
        latitude: Double.random(in: -91...91, using: &random),
        longitude: Double.random(in: -181...181, using: &random)),
      empty: Empty())
  }

  private static func request(_ random: inout SeededGenerator) -> CodedRequest {
    CodedRequest(
      accuracy: number(&random), every: TimeSpan(nanoseconds: integer(&random)),
      mode: random.pick(CodedRequest.Mode.allCases), label: random.once(in: 2) ? nil : text(&random),
      limits: random.once(in: 2) ? nil : limits(&random), tags: list(&random) { text(&$0) })
  }

  private static func limits(_ random: inout SeededGenerator) -> CodedRequest.Limits {
    CodedRequest.Limits(
      count: Int(integer(&random)),
      until: random.once(in: 2) ? nil : Instant(nanoseconds: integer(&random)))
  }

  private static func command(_ random: inout SeededGenerator, depth: Int) -> CodedCommand {
    switch random.next() % (depth > 0 ? 4 : 3) {
    case 0: .stop
    case 1: .move(number(&random), to: list(&random) { Int(integer(&$0)) })
    case 2: .wait(TimeSpan(nanoseconds: integer(&random)), reason: random.once(in: 2) ? nil : text(&random))
    default: .twice(command(&random, depth: depth - 1))
    }
  }

  private static func integer(_ random: inout SeededGenerator) -> Int64 {
    let limits: [Int64] = [.min, .min + 1, -1, 0, 1, 127, 128, 1 << 53, .max - 1, .max]
    if random.once(in: 3) { return random.pick(limits) }
    return Int64(bitPattern: random.next() >> UInt64.random(in: 0..<64, using: &random))
  }

  private static func number(_ random: inout SeededGenerator) -> Double {
    let number = Double(bitPattern: random.next())
    return number.isFinite ? number : random.pick([0.0, -0.0, 0.1, 1e22, .leastNonzeroMagnitude])
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let pieces = ["", "a", "\"", "\\", "\n", "\0", "é", "\u{2028}", "😀", "key", "\u{7F}"]
    return (0..<random.pick([0, 1, 3, 5, random.once(in: 20) ? 70 : 2])).map { _ in random.pick(pieces) }
      .joined()
  }

  private static func list<Element>(
    _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> Element
  ) -> [Element] {
    (0..<random.pick([0, 1, 2, 4])).map { _ in make(&random) }
  }

  private static func dictionary<Value>(
    _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value
  ) -> [String: Value] {
    Dictionary(list(&random) { (text(&$0), make(&$0)) }) { old, _ in old }
  }
}
