import StintModel

/// The rules of all policies with who puts whom aside, and who reaches which device.
struct RuleBook {
  let vocabulary: Vocabulary
  let solver: Solver
  /// Rules that can act, in the order of the files.
  let rules: [CheckedRule]
  /// By policy: its file.
  private let files: [String: String]
  private let overriders: [RuleID: [CheckedRule]]
  /// By device: the places in `rules` of those that reach it, each once.
  private let reaching: [DeviceID: [Int]]
  private let pausing: [DeviceID: Bool]

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    solver = Solver(policies, vocabulary: vocabulary)
    rules = policies.flatMap(\.rules).filter { !$0.isInert }
    files = Dictionary(policies.map { ($0.name, $0.file) }, uniquingKeysWith: { first, _ in first })
    var overriders: [RuleID: [CheckedRule]] = [:]
    var reaching: [DeviceID: [Int]] = [:]
    for (number, rule) in rules.enumerated() {
      for loser in rule.overrides { overriders[loser, default: []].append(rule) }
      for target in rule.targets { reaching[target, default: []].append(number) }
    }
    self.overriders = overriders
    self.reaching = reaching
    var defaults: [DeviceID: DeviceDefaults] = [:]
    for item in policies.flatMap(\.defaults) {
      let fresh = DeviceDefaults(device: item.device, wants: item.wants, linger: item.linger)
      defaults[item.device] = defaults[item.device]?.merged(with: fresh) ?? fresh
    }
    pausing = defaults.compactMapValues(\.wants.pausing)
  }

  func file(of rule: CheckedRule) -> String { files[rule.id.policy] ?? "" }

  /// The places in `rules` of those that name the device in a directive.
  func reaching(_ device: DeviceID) -> [Int] { reaching[device] ?? [] }

  /// The rules that put this one aside on the device where they hold.
  func overriders(of rule: CheckedRule, on device: DeviceID) -> [CheckedRule] {
    (overriders[rule.id] ?? []).filter { $0.targets.contains(device) }
  }

  func hasOverriders(_ rule: CheckedRule) -> Bool { overriders[rule.id] != nil }

  /// That what the rule limits on the device is limited: it is in force, and nobody puts it aside there.
  func limits(_ rule: CheckedRule, on device: DeviceID) -> [Claim] {
    [.inForce(rule)] + overriders(of: rule, on: device).map { .notInForce($0) }
  }

  /// Whether a level rule limits the device whenever the claims are the case.
  func limits(_ rule: CheckedRule, on device: DeviceID, whenever claims: [Claim]) -> Bool {
    guard rule.trigger.isLevel else { return false }
    if rule.trigger.condition != nil, !solver.excludes(claims + [.notInForce(rule)]) { return false }
    return overriders(of: rule, on: device).allSatisfy { other in
      other.id != rule.id && solver.excludes(claims + [.inForce(other)])
    }
  }

  /// Whether `pause` reaches a demand with these wants.
  func pauses(_ wants: Wants, on device: DeviceID) -> Bool {
    wants.pausing ?? pausing[device] ?? true
  }
}

extension CheckedRule {
  /// The devices that its directives name, sorted.
  var targets: [DeviceID] { Set(directives.flatMap(\.directive.targets)).sorted() }
}
