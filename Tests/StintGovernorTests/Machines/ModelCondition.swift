/// A condition on the battery level, the activity and state machines, simple enough for a second
/// implementation.
indirect enum ModelCondition {
  /// True when the battery's level is above this number of percent.
  case above(Int)
  case walking
  case state(machine: Int, Set<Int>)
  case not(ModelCondition)
  case and(ModelCondition, ModelCondition)
  case or(ModelCondition, ModelCondition)
  /// True when the condition has been true for this number of milliseconds without a gap.
  case heldFor(ModelCondition, Int)
  /// True when the condition was true at least once within this number of milliseconds before now.
  case inLast(ModelCondition, Int)

  /// The condition in the policy language.
  var text: String {
    switch self {
    case .above(let percent): "battery.level > \(percent) %"
    case .walking: "motion.activity is walking"
    case .state(let machine, let states):
      "m\(machine) in [\(states.sorted().map { "s\($0)" }.joined(separator: ", "))]"
    case .not(let operand): "not (\(operand.text))"
    case .and(let left, let right): "(\(left.text)) and (\(right.text))"
    case .or(let left, let right): "(\(left.text)) or (\(right.text))"
    case .heldFor(let operand, let span): "(\(operand.text)) for \(span) ms"
    case .inLast(let operand, let span): "(\(operand.text)) in last \(span) ms"
    }
  }

  /// Returns a copy in which each `for` outside `in last` counts only while the condition `state` is true.
  func counting(in state: ModelCondition) -> ModelCondition {
    switch self {
    case .not(let operand): .not(operand.counting(in: state))
    case .and(let left, let right): .and(left.counting(in: state), right.counting(in: state))
    case .or(let left, let right): .or(left.counting(in: state), right.counting(in: state))
    case .heldFor(let operand, let span): .heldFor(.and(state, operand.counting(in: state)), span)
    case .above, .walking, .state, .inLast: self
    }
  }

  /// Returns a random condition on existing machines and states.
  static func random(states: [Int], depth: Int, using generator: inout SplitMix) -> ModelCondition {
    guard depth > 0 else { return leaf(states: states, using: &generator) }
    func next(_ generator: inout SplitMix) -> ModelCondition {
      random(states: states, depth: depth - 1, using: &generator)
    }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .not(next(&generator))
    case 1: return .and(next(&generator), next(&generator))
    case 2: return .or(next(&generator), next(&generator))
    case 3, 4: return .heldFor(next(&generator), Int.random(in: 1...12, using: &generator))
    case 5: return .inLast(next(&generator), Int.random(in: 1...12, using: &generator))
    default: return leaf(states: states, using: &generator)
    }
  }

  private static func leaf(states: [Int], using generator: inout SplitMix) -> ModelCondition {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .above(10 * Int.random(in: 1...8, using: &generator))
    case 1: return .walking
    default:
      let machine = Int.random(in: states.indices, using: &generator)
      let all = Array(0..<states[machine]).shuffled(using: &generator)
      return .state(machine: machine, Set(all.prefix(Int.random(in: 1..<all.count, using: &generator))))
    }
  }
}
