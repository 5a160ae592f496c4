import StintModel
import StintUnits

/// Random inputs of a rule VM in a test: facts and demands at whole seconds.
struct Story {
  enum Event {
    case fact(String, FactValue)
    case demanded(Bool)
  }

  /// The length of the input sequence, in seconds.
  static let length = 40
  /// The number of tested instants at each second: the whole second and the four nanoseconds after it. A
  /// maximum age, an age or a gap ends 1 ns after its span. Nested conditions add these nanoseconds; their
  /// sum is less than `ticks`.
  static let ticks = 5

  /// The events by second, in their order within the second.
  var events: [[Event]]

  /// The instants at which a change is possible when all spans are whole seconds.
  static let moments: [Instant] = (0..<length).flatMap { second in
    (0..<ticks).map { Instant(nanoseconds: Int64(second) * 1_000_000_000 + Int64($0)) }
  }

  /// Returns the second of an index of `moments`; nil between whole seconds.
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
