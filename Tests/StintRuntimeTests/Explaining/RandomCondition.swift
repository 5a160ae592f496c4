import StintModel
import StintUnits

/// Generates pseudo-random conditions in policy syntax, over a few declared facts.
struct RandomCondition {
  static let facts: [FactSchema] = [
    FactSchema(path: "a.level", type: .quantity(.ratio), range: 0...1),
    FactSchema(path: "b.way", type: .quantity(.length), range: 0...1000),
    FactSchema(path: "c.mood", type: .symbol(["calm", "busy", "wild"])),
    FactSchema(path: "d.open", type: .boolean),
  ]

  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  /// Returns a condition with at most `depth` levels.
  mutating func text(depth: Int) -> String {
    guard depth > 0, below(5) > 0 else { return atom() }
    switch below(6) {
    case 0, 1: return "(\(text(depth: depth - 1)) and \(text(depth: depth - 1)))"
    case 2: return "(\(text(depth: depth - 1)) or \(text(depth: depth - 1)))"
    case 3: return "(not \(text(depth: depth - 1)))"
    case 4: return "(\(text(depth: depth - 1)) for \(1 + below(9)) min)"
    default: return "(\(text(depth: depth - 1)) in last \(1 + below(9)) min)"
    }
  }

  private mutating func atom() -> String {
    switch below(8) {
    case 0: return "a.level < \(10 + below(80)) %"
    case 1: return "a.level >= \(10 + below(80)) %"
    case 2: return "b.way > \(100 + below(800)) m"
    case 3:
      let limit = 10 + below(60)
      return "(a.level below \(limit) % release \(limit + 10) %)"
    case 4: return "c.mood is \(["calm", "busy", "wild"][below(3)])"
    case 5: return "c.mood in [calm, \(["busy", "wild"][below(2)])]"
    case 6: return "d.open"
    default: return "known(b.way)"
    }
  }

  /// Returns a valid value for the fact with this index.
  mutating func value(of fact: Int) -> FactValue {
    switch fact {
    case 0: .number(Double(below(101)) / 100)
    case 1: below(4) == 0 ? .unknown : .number(Double(below(1001)))
    case 2: .symbol(below(3))
    default: .boolean(below(2) == 0)
    }
  }
}
