import StintModel
import StintUnits

/// The sources of the facts that can end a condition. One new value of one such fact is sufficient.
struct EndingFactSources {
  /// True when at least one of these facts does not come from a sensor.
  private var isFree = false
  /// The sensors that publish these facts while they are on.
  private var sensors: Set<DeviceID> = []

  /// Examines the conjuncts of the condition, also within `for` and `in last`. Parts that need a closer
  /// analysis are left out.
  init(_ condition: CheckedExpression?, _ vocabulary: Vocabulary) {
    if let condition { note(condition, vocabulary) }
  }

  /// Returns true when at least one of the facts still changes while these devices are off.
  func remain(without devices: Set<DeviceID>) -> Bool { isFree || !sensors.isSubset(of: devices) }

  private mutating func note(_ condition: CheckedExpression, _ vocabulary: Vocabulary) {
    switch condition.kind {
    case .and(let operands): for operand in operands { note(operand, vocabulary) }
    case .heldFor(let operand, _, _), .inLast(let operand, _): note(operand, vocabulary)
    case .compare(let operation, let left, let right):
      guard case .fact(let path) = left.kind, case .constant(let limit) = right.kind,
        let number = vocabulary.fact(path), number < vocabulary.firstComputed,
        canTurn(vocabulary.facts[number], operation, limit.number)
      else { return }
      note(vocabulary.facts[number], vocabulary)
    case .latch(let side, let value, _, let release):
      guard case .fact(let path) = value.kind, let end = release.constantNumber,
        let number = vocabulary.fact(path), number < vocabulary.firstComputed,
        canTurn(vocabulary.facts[number], side == .below ? .lessOrEqual : .greaterOrEqual, end)
      else { return }
      note(vocabulary.facts[number], vocabulary)
    default: return
    }
  }

  /// Registers the device that publishes a fact. Facts that the governor sets for a device are left out.
  private mutating func note(_ schema: FactSchema, _ vocabulary: Vocabulary) {
    guard let device = schema.device, let manifest = vocabulary.manifest(device), manifest.kind != .source
    else {
      isFree = true
      return
    }
    if [".on", ".state", ".available"].contains(where: { schema.path == device.path + $0 }) { return }
    if manifest.kind == .sensor { sensors.insert(device) } else { isFree = true }
  }

  /// Returns true when the fact may become unknown, or take a value that makes the comparison false.
  private func canTurn(_ schema: FactSchema, _ operation: Comparison, _ limit: Double) -> Bool {
    if schema.maxAge != nil { return true }
    switch (schema.type, operation) {
    case (.symbol(let words), .equal): return words.count > 1
    case (.quantity, .less), (.quantity, .lessOrEqual): return limit < schema.range?.upperBound ?? .infinity
    case (.quantity, .greater), (.quantity, .greaterOrEqual):
      return limit > schema.range?.lowerBound ?? -.infinity
    default: return false
    }
  }
}
