import StintModel
import StintUnits

/// How often rules have a sensor begin to work because they read what it says.
///
/// Such a rule begins to need the sensor when another operand no longer decides alone, or when a demand on a device
/// that it limits begins. A place is looked for again five minutes after a look that found nothing, at the earliest.
struct SensingRate {
  /// The least time between two looks for a place.
  static let shortestProbePeriod = TimeSpan.minutes(5)

  private let vocabulary: Vocabulary
  private let rules: [(pace: RuleRate, conditions: ConditionRate)]

  init(_ rules: [(pace: RuleRate, conditions: ConditionRate)], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    self.rules = rules.filter { !$0.pace.rule.isInert }
  }

  /// Whether a rule has the sensor work to read a fact of it.
  func isRead(_ device: Manifest) -> Bool {
    let kin = relatedDevices(of: device)
    return rules.contains {
      $0.pace.rule.readsAny(of: own(device)) && targets(of: $0.pace.rule, without: kin) != nil
    }
  }

  /// The facts that a sensor says while it works.
  private func own(_ device: Manifest) -> Set<String> {
    Set(device.facts.filter { $0.reading == nil && !$0.isAlwaysPublished }.map(\.path))
  }

  private func relatedDevices(of device: Manifest) -> [DeviceID] {
    vocabulary.manifests.filter { isRelated($0, of: device) }.map(\.device)
  }

  func begins(of device: Manifest) -> Pace {
    let own = own(device)
    let kin = relatedDevices(of: device)
    var sum = Pace.never
    for entry in rules where entry.pace.rule.readsAny(of: own) {
      guard let targets = targets(of: entry.pace.rule, without: kin) else { continue }
      sum = sum + turns(of: entry, without: own) + starts(on: targets)
    }
    let places = Set(vocabulary.computed.filter(\.isPlace).map(\.schema.path))
    let looks = rules.contains {
      $0.pace.rule.readsAny(of: places) && targets(of: $0.pace.rule, without: kin) != nil
    }
    return looks && isPositioning(device) ? sum + .spaced(Self.shortestProbePeriod) : sum
  }

  /// Whether a device is the sensor, or of its ladder.
  private func isRelated(_ other: Manifest, of device: Manifest) -> Bool {
    if other.device == device.device { return true }
    return other.ladder != nil && other.ladder?.name == device.ladder?.name
  }

  private func isPositioning(_ device: Manifest) -> Bool {
    ["latitude", "longitude", "accuracy"].allSatisfy {
      vocabulary.schema("\(device.device.path).\($0)")?.isAlwaysPublished == false
    }
  }

  /// The devices that a rule limits, other than these; nil where all that it does is to limit these.
  private func targets(of rule: CheckedRule, without kin: [DeviceID]) -> Set<DeviceID>? {
    var targets: Set<DeviceID> = []
    var acts = rule.directives.isEmpty && rule.acts.isEmpty
    for directive in rule.directives.map(\.directive) {
      switch directive.action {
      case .start, .serve, .resume: acts = true
      default: targets.formUnion(directive.targets)
      }
    }
    for act in rule.acts {
      if case .flush(let flushed) = act { targets.formUnion(flushed) } else { acts = true }
    }
    targets.subtract(kin)
    return acts || !targets.isEmpty ? targets : nil
  }

  /// How often operands turn that read nothing of the sensor.
  private func turns(
    of entry: (pace: RuleRate, conditions: ConditionRate), without own: Set<String>
  ) -> Pace {
    var domain = OtherOperands(own: own, conditions: entry.conditions, vocabulary: vocabulary)
    return .sum(entry.pace.rule.expressions.map { domain.value(of: $0, at: ()) })
  }

  /// How often rules start a demand on one of these devices.
  private func starts(on targets: Set<DeviceID>) -> Pace {
    .sum(
      rules.flatMap { entry in
        entry.pace.rule.directives.filter { item in
          guard case .start = item.directive.action else { return false }
          return !targets.isDisjoint(with: item.directive.targets)
        }.map { entry.pace.beginnings(of: $0) }
      })
  }
}

/// How often the parts of a condition turn, either way, that read none of some facts.
private struct OtherOperands: ConditionDomain {
  let own: Set<String>
  let conditions: ConditionRate
  let vocabulary: Vocabulary

  func negated(_ value: Pace) -> Pace { value }
  func all(_ values: [Pace]) -> Pace { .sum(values) }
  func any(_ values: [Pace]) -> Pace { .sum(values) }

  mutating func leaf(_ part: CheckedExpression, at context: Void) -> Pace {
    guard own.isDisjoint(with: part.facts) else {
      switch part.kind {
      case .heldFor(let operand, _, _), .inLast(let operand, _): return value(of: operand, at: ())
      default: return .never
      }
    }
    // What grows too old comes to be unknown and known again, which is no turn.
    let ages = part.facts.filter { path in
      vocabulary.schema(path)?.maxAge != nil || vocabulary.fact(path) ?? 0 >= vocabulary.firstComputed
    }
    let turns = conditions.turns(of: part)
    return turns.toTrue + turns.toFalse + .sum(ages.map { conditions.facts.changes(of: $0).all })
  }
}

extension CheckedRule {
  /// The conditions of its trigger and of its directives' ends.
  fileprivate var expressions: [CheckedExpression] {
    [trigger.condition].compactMap(\.self) + directives.compactMap(\.until)
  }

  fileprivate func readsAny(of paths: Set<String>) -> Bool {
    expressions.contains { !paths.isDisjoint(with: $0.facts) }
  }
}

extension ComputedFact {
  /// Whether it says where the phone is as to a circle.
  fileprivate var isPlace: Bool {
    guard case .zone(let zone, _) = source, case .circle = zone.shape else { return false }
    return true
  }
}
