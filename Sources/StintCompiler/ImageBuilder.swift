import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Builds an image from rules. Each fact, constant and span is stored once, except the constants of
/// membership tests.
struct ImageBuilder {
  let vocabulary: Vocabulary
  let maxAges: [DeviceID: TimeSpan]
  var image = Image()
  private var factPlaces: [String: Int] = [:]
  private var constantPlaces: [Double: Int] = [:]
  private var spanPlaces: [TimeSpan: Int] = [:]
  /// The number of state slots by rule and structure, to distinguish slots of equal structure in one rule. A
  /// state slot stores the state of an expression with a memory, such as `for`.
  private var occurrences: [SlotKey: Int] = [:]

  init(vocabulary: Vocabulary, maxAges: [DeviceID: TimeSpan]) {
    self.vocabulary = vocabulary
    self.maxAges = maxAges
  }

  /// Adds a rule. With `isListed`, the rule gets directives but no code, because a per-demand image
  /// contains the code.
  mutating func add(_ rule: CheckedRule, firstSchedule: Int, isListed: Bool = false) {
    if isListed { return list(rule) }
    let number = image.rules.count
    let schedules = image.schedules[firstSchedule...]
    var emitter = CodeEmitter(rule: rule.id, firstSchedule: firstSchedule)
    let trigger: ImageRule.Trigger
    var code = 0..<0
    var structure: String
    switch rule.trigger {
    case .always:
      trigger = .level
      structure = "always"
    case .whilst(let condition):
      trigger = .level
      structure = "while \(condition.structure(schedules))"
      code = emitter.emit(condition, into: &self)
    case .when(let condition, let atMost):
      trigger = .rise(atMost: atMost)
      structure = "when \(condition.structure(schedules)) at most \(atMost?.nanoseconds ?? 0)"
      code = emitter.emit(condition, into: &self)
    case .every(let period, let flex, let condition):
      trigger = .period(period, flex: flex)
      structure = "every \(period.nanoseconds) if \(condition?.structure(schedules) ?? "")"
      if let condition { code = emitter.emit(condition, into: &self) }
    }
    if rule.isInert { structure += " inert" }
    let firstDirective = image.directives.count
    for directive in rule.directives {
      let until = directive.until.map { emitter.emit($0, into: &self) } ?? 0..<0
      var entry = entry(directive, until: until, rule: number, isEdge: trigger != .level)
      entry.structure = directive.until?.structure(schedules) ?? ""
      image.directives.append(entry)
    }
    let firstAct = image.acts.count
    image.acts += rule.acts
    image.rules.append(
      ImageRule(
        id: rule.id, trigger: trigger, structure: structure, code: code,
        directives: firstDirective..<image.directives.count, acts: firstAct..<image.acts.count,
        isInert: rule.isInert))
  }

  private mutating func list(_ rule: CheckedRule) {
    let first = image.directives.count
    let directives = rule.directives.map {
      ImageDirective(directive: $0.directive, rule: image.rules.count, until: 0..<0, duration: nil)
    }
    image.directives += directives
    var listed = ImageRule(
      id: rule.id, trigger: .level, structure: "", code: 0..<0,
      directives: first..<image.directives.count, acts: image.acts.count..<image.acts.count,
      isInert: false)
    listed.isPerDemand = true
    image.rules.append(listed)
  }

  /// Returns the image entry of a directive. In a `when` or `every` rule, a `defer` without a duration ends
  /// at its deadline.
  private func entry(
    _ checked: CheckedDirective, until: Range<Int>, rule: Int, isEdge: Bool
  ) -> ImageDirective {
    var duration = checked.ending?.duration
    if isEdge, duration == nil {
      if case .postpone(let deadline) = checked.directive.action { duration = deadline }
    }
    return ImageDirective(
      directive: checked.directive, rule: rule, until: until, duration: isEdge ? duration ?? .unlimited : nil,
      doublingTo: checked.ending?.doublingTo,
      atMost: checked.ending?.atMost)
  }

  /// Resolves the names in `overrides` to indices of rules. Names of rules that are not loaded are omitted.
  mutating func link(_ rules: [CheckedRule]) {
    let places = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (winner, rule) in rules.enumerated() {
      for name in rule.overrides {
        guard let loser = places[name] else { continue }
        image.overrides.append(ImageOverride(winner: winner, loser: loser))
      }
    }
  }

  /// Returns the index of a fact in the image, and adds the fact if it is missing.
  mutating func fact(_ path: String) -> Int {
    if let place = factPlaces[path] { return place }
    guard let number = vocabulary.fact(path) else {
      preconditionFailure("a checked policy reads “\(path)”, which is not in the vocabulary")
    }
    let schema = vocabulary.facts[number]
    var maxAge = schema.maxAge
    // A fact without a maximum age in the vocabulary, such as a device's power state, keeps its values:
    // `max_age` does not apply.
    if maxAge != nil, let device = schema.device, let age = maxAges[device] { maxAge = age }
    image.facts.append(ImageFact(number: number, maxAge: maxAge))
    factPlaces[path] = image.facts.count - 1
    return image.facts.count - 1
  }

  /// Returns the index of a device in the image, and adds the device if it is missing.
  mutating func device(_ device: DeviceID) -> Int {
    if let place = image.devices.firstIndex(of: device) { return place }
    image.devices.append(device)
    return image.devices.count - 1
  }

  /// Returns the index of a constant in the image, and adds the constant if it is missing.
  mutating func constant(_ value: Double) -> Int {
    if let place = constantPlaces[value] { return place }
    image.constants.append(value)
    constantPlaces[value] = image.constants.count - 1
    return image.constants.count - 1
  }

  /// Returns the index of a span in the image, and adds the span if it is missing.
  mutating func span(_ span: TimeSpan) -> Int {
    if let place = spanPlaces[span] { return place }
    image.spans.append(span)
    spanPlaces[span] = image.spans.count - 1
    return image.spans.count - 1
  }

  /// Adds a state slot for a temporal operator of a rule, and returns its index.
  mutating func slot(
    _ kind: ImageSlot.Kind, _ expression: CheckedExpression, rule: RuleID, firstSchedule: Int
  ) -> Int {
    let structure = expression.structure(image.schedules[firstSchedule...])
    var key = SlotKey(rule: rule, structure: structure, occurrence: 0)
    let occurrence = occurrences[key, default: 0]
    occurrences[key] = occurrence + 1
    key.occurrence = occurrence
    image.slots.append(
      ImageSlot(kind: kind, key: key, place: expression.span.start..<expression.span.end))
    return image.slots.count - 1
  }

  /// Returns the maximum number of values in a window over the fact.
  mutating func capacity(_ path: String, _ span: TimeSpan) -> Int {
    vocabulary.facts[image.facts[fact(path)].number].windowCapacity(over: span)
  }
}
