import StintModel
import StintUnits

extension PlanCondition {
  /// Returns the condition as policy text, with more parentheses than necessary.
  func text(_ world: PlanWorld) -> String {
    switch self {
    case .flag(let fact): fact.path
    case .words(let fact, let words): Self.text(fact, words)
    case .known(let fact): "known(\(fact.path))"
    case .age(let fact, let comparison, let count):
      "age(\(fact.path)) \(comparison.rawValue) \(world.text(count))"
    case .demanded(let device): "demanded(\(device.id))"
    case .isOn(let device): "\(device.id).on"
    case .available(let device): "available(\(device.id))"
    case .schedule(let place): "time in hours\(place)"
    case .zone(let question, let place): "\(question.rawValue)(zone\(place))"
    case .compare(let left, let comparison, let right):
      "\(left.text(world)) \(comparison.rawValue) \(right.text(world))"
    case .between(let amount, let low, let high): "\(amount.text(world)) between \(low) m and \(high) m"
    case .smooth(let function, let fact, let count, let comparison, let bound):
      "\(function.rawValue)(\(fact.path), \(world.text(count))) \(comparison.rawValue) \(bound).137 m"
    case .latch(let side, let amount, let threshold, let release):
      "\(amount.text(world)) \(side.rawValue) \(threshold) m release \(release) m"
    case .level(let comparison, let percent): "battery.level \(comparison.rawValue) \(percent) %"
    case .levelLatch(let side, let threshold, let release):
      "battery.level \(side.rawValue) \(threshold) % release \(release) %"
    case .count(let fact, let span, let comparison, let count):
      "count(\(fact.path), \(world.text(span))) \(comparison.rawValue) \(count)"
    case .rate(let fact, let span, let count):
      "rate(\(fact.path), \(world.text(span))) > \(count).5 per \(world.text(span))"
    case .share(let budget, let comparison, let percent): "trail\(budget) \(comparison.rawValue) \(percent) %"
    case .wakeups(let device, let count): "wakeups(\(device.id)) > \(count).5 per h"
    case .energy(let device, let units): "energy(\(device.id)) > \(device.energy(units, world) + 12_345) nJ"
    case .explained: "unexplained < 1 s"
    case .states(let machine, let states):
      states.count == 1
        ? "mode\(machine) is s\(states[0])"
        : "mode\(machine) in [\(states.map { "s\($0)" }.joined(separator: ", "))]"
    case .named(let place): "fact\(place)"
    case .not(let operand): "not (\(operand.text(world)))"
    case .and(let operands): operands.map { "(\($0.text(world)))" }.joined(separator: " and ")
    case .or(let operands): operands.map { "(\($0.text(world)))" }.joined(separator: " or ")
    case .implies(let left, let right): "(\(left.text(world))) implies (\(right.text(world)))"
    case .heldFor(let operand, let span, let tolerate):
      "(\(operand.text(world))) for \(world.text(span))"
        + (tolerate.map { " tolerate \(world.text($0))" } ?? "")
    case .inLast(let operand, let span): "(\(operand.text(world))) in last \(world.text(span))"
    }
  }

  private static func text(_ fact: PlanWorld.Fact, _ numbers: [Int]) -> String {
    let names = fact == .app ? ["foreground", "background"] : PlanWorld.words
    let words = numbers.map { names[$0] }
    return words.count == 1
      ? "\(fact.path) is \(words[0])" : "\(fact.path) in [\(words.joined(separator: ", "))]"
  }
}

extension PlanWorld.Device {
  /// Returns the energy in nanojoules that the device draws when it is on for `units` units of
  /// `PlanWorld.unit`.
  func energy(_ units: Int, _ world: PlanWorld) -> Int64 {
    Int64(Int128(power) * Int128(world.span(units).nanoseconds) / 1_000_000_000)
  }
}
