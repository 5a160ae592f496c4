public import StintLanguage
package import StintMachine
public import StintModel
public import StintUnits

/// All data that determine the truth values of conditions at one instant. These are facts, demands, local
/// time, and the state of temporal operators.
public struct Situation {
  /// The state of a temporal operator.
  public struct Memory: Hashable, Sendable {
    /// For `for`: the instant since which the operand is true. For `in last`: the instant at which the
    /// operand was last true.
    public var since: Instant?
    /// For a latch (a comparison with `release`): true when the latch is closed. For `in last`: true when the
    /// operand was true at the last evaluation.
    public var isClosed: Bool
    /// For a window: the current statistic of the window.
    public var statistic: Double?

    /// Creates a state. The defaults are those of an operator that was never evaluated.
    public init(since: Instant? = nil, isClosed: Bool = false, statistic: Double? = nil) {
      self.since = since
      self.isClosed = isClosed
      self.statistic = statistic
    }
  }

  /// The instant of the situation.
  public var now: Instant
  /// The rules that convert instants to local time.
  public var timeZone: TimeZoneRules
  /// The facts and devices that conditions can name.
  public var vocabulary: Vocabulary
  /// The schedules of the policy that contains the conditions.
  public var schedules: [CheckedSchedule]
  /// Returns the value that rules see for a fact, by path. Unknown when the value is older than its
  /// maximum age.
  public var value: (String) -> FactValue
  /// Returns the instant at which the value of a fact was last published. Nil when the fact has no value: it
  /// was never published, or its value was withdrawn.
  public var published: (String) -> Instant?
  /// Returns the instant at which an unknown fact lost its value; nil for a fact that was never known.
  public var end: (String) -> Instant?
  /// Returns true when a demand exists for a device.
  public var isDemanded: (DeviceID) -> Bool
  /// Returns the state of a temporal expression.
  public var memory: (CheckedExpression) -> Memory

  /// Creates a situation. By default all temporal operators have their initial state.
  public init(
    now: Instant, timeZone: TimeZoneRules = .utc, vocabulary: Vocabulary, schedules: [CheckedSchedule] = [],
    value: @escaping (String) -> FactValue, published: @escaping (String) -> Instant? = { _ in nil },
    end: @escaping (String) -> Instant? = { _ in nil },
    isDemanded: @escaping (DeviceID) -> Bool = { _ in false },
    memory: @escaping (CheckedExpression) -> Memory = { _ in Memory() }
  ) {
    self.now = now
    self.timeZone = timeZone
    self.vocabulary = vocabulary
    self.schedules = schedules
    self.value = value
    self.published = published
    self.end = end
    self.isDemanded = isDemanded
    self.memory = memory
  }

  /// Returns the value of an expression. Conditions have Boolean values; every value may be unknown.
  func evaluate(_ expression: CheckedExpression) -> FactValue {
    switch expression.kind {
    case .constant(let value): return value
    case .fact(let path): return value(path)
    case .known(let path): return .boolean(value(path) != .unknown)
    case .demanded(let device): return .boolean(isDemanded(device))
    case .window: return number(memory(expression).statistic)
    case .negate(let operand): return number(number(of: operand).map { -$0 })
    case .arithmetic(let operation, let left, let right):
      guard let left = number(of: left), let right = number(of: right) else { return .unknown }
      let result = operation.apply(left, right)
      return result.isNaN ? .unknown : .number(result)
    default:
      switch truth(expression) {
      case .yes: return .boolean(true)
      case .no: return .boolean(false)
      case .unknown: return .unknown
      }
    }
  }

  /// Returns the truth value of a condition.
  func truth(_ expression: CheckedExpression) -> Truth {
    var domain = self
    return domain.value(of: expression, at: ())
  }

  /// Returns the numeric value of an expression. Returns nil when the value is unknown or not a number.
  func number(of expression: CheckedExpression) -> Double? {
    guard case .number(let number) = evaluate(expression) else { return nil }
    return number
  }

  private func number(_ value: Double?) -> FactValue { value.map(FactValue.number) ?? .unknown }

  private func compare(_ left: FactValue, _ comparison: Comparison, _ right: FactValue) -> Truth {
    switch (left, right) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.number(let left), .number(let right)): Truth(comparison.holds(left, right))
    default: Truth((left == right) == (comparison == .equal))
    }
  }

  private func latch(
    _ side: LatchSide, _ value: CheckedExpression, _ threshold: CheckedExpression,
    _ release: CheckedExpression, wasClosed: Bool
  ) -> Truth {
    guard let value = number(of: value), let threshold = number(of: threshold),
      let release = number(of: release)
    else { return .unknown }
    if side == .below ? value < threshold : value > threshold { return .yes }
    if side == .below ? value > release : value < release { return .no }
    return Truth(wasClosed)
  }
}

extension Situation: ConditionDomain {
  package func negated(_ value: Truth) -> Truth { value.negated }
  package func all(_ values: [Truth]) -> Truth { values.reduce(.yes) { $0.and($1) } }
  package func any(_ values: [Truth]) -> Truth { all(values.map(\.negated)).negated }

  package func leaf(_ part: CheckedExpression, at context: Void) -> Truth {
    switch part.kind {
    case .compare(let comparison, let left, let right):
      return compare(evaluate(left), comparison, evaluate(right))
    case .latch(let side, let value, let threshold, let release):
      return latch(side, value, threshold, release, wasClosed: memory(part).isClosed)
    case .oneOf(let operand, let values):
      let value = evaluate(operand)
      return value == .unknown ? .unknown : Truth(values.contains(value))
    case .inSchedule(let index):
      guard schedules.indices.contains(index) else { return .unknown }
      return Truth(schedules[index].isOpen(now, in: timeZone))
    case .heldFor(let operand, let span, _):
      guard let since = memory(part).since else { return truth(operand) == .unknown ? .unknown : .no }
      return Truth(now - since >= span)
    case .inLast(let operand, let span):
      if truth(operand) == .yes { return .yes }
      if let since = memory(part).since, now - since < span { return .yes }
      return truth(operand) == .unknown ? .unknown : .no
    case .age(let path, let comparison, let span):
      guard let published = published(path) else { return .unknown }
      return Truth(comparison.holds((now - published).nanoseconds, span.nanoseconds))
    default:
      guard case .boolean(let isTrue) = evaluate(part) else { return .unknown }
      return Truth(isTrue)
    }
  }
}

extension Truth {
  init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

  var negated: Truth {
    switch self {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }

  /// Returns the three-valued conjunction (Kleene).
  func and(_ other: Truth) -> Truth {
    if self == .no || other == .no { return .no }
    return self == .unknown || other == .unknown ? .unknown : .yes
  }
}
