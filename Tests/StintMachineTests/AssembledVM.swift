import StintModel
import StintUnits

@testable import StintMachine

/// A rule VM with one rule, whose condition is given as instructions. Facts have indexes from 0 and never
/// become stale.
struct AssembledVM {
  var machine: RuleVM

  init(
    _ code: [Instruction], facts: Int = 3, constants: [Double] = [], spans: [TimeSpan] = [],
    slots: [ImageSlot.Kind] = []
  ) throws {
    machine = RuleVM(
      image: try ImageVerifier.verify(
        Self.image(code, facts: facts, constants: constants, spans: spans, slots: slots)),
      timeZone: .utc, at: .epoch)
  }

  static func image(
    _ code: [Instruction], facts: Int = 3, constants: [Double] = [], spans: [TimeSpan] = [],
    slots: [ImageSlot.Kind] = []
  ) -> Image {
    let id = RuleID(policy: "p", rule: "r")
    var image = Image()
    image.facts = (0..<facts).map { ImageFact(number: $0, maxAge: nil) }
    image.devices = ["gps"]
    image.constants = constants
    image.spans = spans
    image.code = code
    image.slots = slots.enumerated().map {
      ImageSlot(kind: $1, key: SlotKey(rule: id, structure: "\($0)", occurrence: 0), place: 0..<0)
    }
    image.rules = [
      ImageRule(
        id: id, trigger: .level, structure: "", code: 0..<code.count, directives: 0..<0, acts: 0..<0,
        isInert: false)
    ]
    return image
  }

  /// Returns the result of the condition for these values of the facts, at a time in seconds.
  mutating func truth(_ values: [FactValue], at second: Int64 = 0) -> Truth {
    let now = Instant.epoch + .seconds(second)
    for (fact, value) in values.enumerated() { machine.set(fact: fact, value, at: now) }
    _ = machine.propagate(at: now)
    return machine.truth(of: 0)
  }
}
