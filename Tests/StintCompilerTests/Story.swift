import StintModel
import StintUnits

/// Everything that happens to a machine: facts and demands, at whole seconds.
struct Story {
  enum Event {
    case fact(String, FactValue)
    case demanded(Bool)
  }

  /// How many seconds it lasts.
  static let length = 40
  /// Staleness, ages and gaps end a nanosecond after their span; nested, they add up to less than this many.
  static let ticks = 5

  /// By second, in the order in which they are told.
  var events: [[Event]]

  /// The moments at which anything can change when all spans are whole seconds.
  static let moments: [Instant] = (0..<length).flatMap { second in
    (0..<ticks).map { Instant(nanoseconds: Int64(second) * 1_000_000_000 + Int64($0)) }
  }

  /// The moment with this number.
  static func second(of moment: Int) -> Int? { moment % ticks == 0 ? moment / ticks : nil }

  init(using generator: inout SplitMix) {
    events = (0..<Self.length).map { _ in
      var told: [Event] = []
      for flag in ["a", "b", "c"] where generator.once(in: 4) {
        told.append(.fact(flag, generator.once(in: 5) ? .unknown : .boolean(generator.once(in: 2))))
      }
      for number in ["x", "y", "stale"] where generator.once(in: 3) {
        let value = FactValue.number(Double(Int.random(in: 0...4, using: &generator)))
        told.append(.fact(number, generator.once(in: 8) ? .unknown : value))
      }
      if generator.once(in: 4) { told.append(.fact("w", .symbol(Int.random(in: 0...2, using: &generator)))) }
      if generator.once(in: 6) { told.append(.demanded(generator.once(in: 2))) }
      return told
    }
  }
}
