import StintModel

/// Asks of rules whether they can hold for good.
struct DeadEndSearch {
  private let vocabulary: Vocabulary
  private let schedules: [String: [CheckedSchedule]]
  /// By rule: those that put it aside, with the policy they belong to.
  private var overriders: [RuleID: [(rule: CheckedRule, policy: String)]] = [:]
  /// By device: the rules that start it.
  private var starters: [DeviceID: [(rule: CheckedRule, policy: String)]] = [:]

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    schedules = Dictionary(
      policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first })
    for policy in policies {
      for rule in policy.rules where !rule.isInert {
        for loser in rule.overrides { overriders[loser, default: []].append((rule, policy.name)) }
        for directive in rule.directives {
          guard case .start = directive.directive.action else { continue }
          for target in directive.directive.targets {
            starters[target, default: []].append((rule, policy.name))
          }
        }
      }
    }
  }

  // MARK: Rules

  /// The dead ends of one rule by itself: one for each directive that has one.
  mutating func deadEnds(of off: OffRule) -> [DeadEnd] {
    // Without another rule that may put this one aside somewhere, all its targets fare alike.
    let isShared = overriders[off.rule.id] == nil
    let common = isShared ? stuck([off], on: nil) : nil
    if isShared && common == nil { return [] }
    return off.directives.compactMap { directive in
      let targets = directive.directive.targets
      if let common { return DeadEndMessage(vocabulary).single(off, directive, stuck: targets, common) }
      let ends = targets.compactMap { target in stuck([off], on: target).map { (target, $0) } }
      guard let readings = ends.first?.1 else { return nil }
      return DeadEndMessage(vocabulary).single(off, directive, stuck: ends.map(\.0), readings)
    }
  }

  /// The dead end of rules that keep each other in force.
  mutating func deadEnd(of offs: [OffRule]) -> DeadEnd? {
    guard let readings = stuck(offs, on: nil) else { return nil }
    return DeadEndMessage(vocabulary).circle(offs, readings)
  }

  /// Values with which all of the rules hold for good; nil where something can end one of them.
  private func stuck(_ offs: [OffRule], on target: DeviceID?) -> [Witness.Reading]? {
    let devices = offs.reduce(into: Set<DeviceID>()) { $0.formUnion($1.targets) }
    if starters.isEmpty, offs.contains(where: { $0.ends.remain(without: devices) }) { return nil }
    var conditions: [(CheckedExpression, policy: String)] = offs.compactMap { off in
      off.rule.trigger.condition.map { ($0, off.policy.name) }
    }
    let others = offs.flatMap { winners(over: $0, on: target) }
    let exits = others.compactMap { other in other.rule.trigger.condition.map { ($0, policy: other.policy) } }
    // A winner that always holds, or acts again and again, is a way back by itself.
    if exits.count < others.count { return nil }
    let count = conditions.count
    conditions += exits
    let silence = silence(devices, reading: conditions.flatMap(\.0.facts))
    if offs.contains(where: { $0.ends.remain(without: silence.devices) }) { return nil }
    var world = SilentWorld(conditions, silence: silence, schedules: schedules, vocabulary: vocabulary)
    let parts = world.formulas.enumerated().map { number, formula in
      number < count ? Formula.certain(formula) : Formula.not(.certain(formula))
    }
    let readings = world.search(parts.isEmpty ? .constant(.yes) : .and(parts))
    // A rule that depends only on a client's own request ends with that request.
    if let readings, !readings.isEmpty, readings.allSatisfy({ silence.isOfClient($0.path) }) { return nil }
    return readings
  }

  /// The rules that put this one aside on a device.
  private func winners(over off: OffRule, on target: DeviceID?) -> [(rule: CheckedRule, policy: String)] {
    (overriders[off.rule.id] ?? []).filter { winner in
      winner.rule.directives.contains { directive in
        directive.directive.targets.contains { target == nil ? off.targets.contains($0) : $0 == target }
      }
    }
  }

  /// The devices that are off together with these: sensors that only rules start which cannot hold then.
  private func silence(_ devices: Set<DeviceID>, reading paths: [String]) -> Silence {
    var silence = Silence(vocabulary: vocabulary, devices: devices)
    let read = Set(paths.compactMap { vocabulary.schema($0)?.device }).subtracting(devices).sorted()
    for device in read {
      guard let rules = starters[device], vocabulary.manifest(device)?.kind == .sensor else { continue }
      let isStarted = rules.contains { starter in
        guard let condition = starter.rule.trigger.condition else { return true }
        var world = SilentWorld(
          [(condition, policy: starter.policy)], silence: silence, schedules: schedules,
          vocabulary: vocabulary)
        return world.canHold()
      }
      if !isStarted { silence.devices.insert(device) }
    }
    return silence
  }

  // MARK: Defers

  /// A defer whose `until` nothing can make true while the device waits; only the deadline ends it.
  mutating func vainUntil(_ directive: CheckedDirective, of rule: CheckedRule, _ policy: CheckedPolicy)
    -> DeadEnd?
  {
    guard case .postpone = directive.directive.action, let until = directive.until else { return nil }
    let silence = silence(Set(directive.directive.targets), reading: until.facts)
    var world = SilentWorld(
      [(until, policy: policy.name)], silence: silence, schedules: schedules, vocabulary: vocabulary)
    guard !world.canHold() else { return nil }
    return DeadEndMessage(vocabulary).vain(directive, until, rule, policy)
  }
}

/// What conditions can still become while some devices are off.
struct SilentWorld {
  private var space: ConditionSpace
  private(set) var formulas: [Formula]
  private var isFixed: [Bool]

  init(
    _ conditions: [(CheckedExpression, policy: String)], silence: Silence,
    schedules: [String: [CheckedSchedule]], vocabulary: Vocabulary
  ) {
    space = ConditionSpace(vocabulary: vocabulary)
    for (condition, policy) in conditions { space.note(condition, of: policy) }
    space.finish()
    isFixed = []
    for number in space.variables.indices {
      let variable = space.variables[number]
      switch silence.fate(of: variable.leaf, cells: variable.cells, schedules: schedules) {
      case .free(let cells):
        space.restrict(number, to: cells)
        isFixed.append(false)
      case .fixed(let cells):
        space.restrict(number, to: cells)
        isFixed.append(true)
      }
    }
    formulas = conditions.map { [space] in space.formula($0.0, of: $0.policy) }
  }

  private var counts: [Int] { space.variables.map(\.cells.count) }

  /// Values of stuck facts with which the formula stays true; nil where it can end, or the search cannot
  /// decide.
  mutating func search(_ formula: Formula) -> [Witness.Reading]? {
    // Values that close a latch by themselves are better witnesses than what it may remember.
    let fresh = space.variables.indices.map { number -> Int? in
      if case .memory = space.variables[number].leaf, isFixed[number] { 0 } else { nil }
    }
    for start in fresh.contains(where: { $0 != nil }) ? [fresh, fresh.map { _ in nil }] : [fresh] {
      var search = StuckSearch(formula, isFixed: isFixed, counts: counts)
      if case .stuck(let cells) = search.run(from: start) { return readings(cells) }
    }
    return nil
  }

  private func readings(_ cells: [Int?]) -> [Witness.Reading] {
    zip(space.variables, cells).compactMap { variable, cell in
      guard let cell else { return nil }
      switch variable.leaf {
      case .fact(let path):
        return Witness.Reading(path: path, value: space.value(variable.cells[cell], of: path))
      case .age(let path):
        return variable.cells[cell].isNaN
          ? nil : Witness.Reading(path: path, value: space.anyValue(of: path))
      default: return nil
      }
    }
  }

  /// Whether anything can still make all of them true; also true where the search cannot decide.
  mutating func canHold() -> Bool {
    let all = formulas.map { Formula.certain($0) }
    let everything = [Bool](repeating: true, count: isFixed.count)
    var search = StuckSearch(.and(all), isFixed: everything, counts: counts)
    return search.run() != .free
  }
}
