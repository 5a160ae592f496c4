import StintModel

/// A combination of devices that stay on or off, with the claims that keep each device in its state.
struct RequirementScenario {
  private(set) var claims: [Claim] = []
  private var devices: [DeviceID] = []
  /// The paths of facts that are unknown because their sensor is off.
  private var unread: Set<String> = []

  /// Returns every scenario of these devices. In the first scenario all devices are on.
  static func all(_ devices: [DeviceID], rules: [CheckedRule], _ vocabulary: Vocabulary)
    -> [RequirementScenario]
  {
    var scenarios = [RequirementScenario()]
    for device in devices {
      let ways = Self.ways(of: device, rules, vocabulary)
      scenarios = ways.flatMap { way in
        scenarios.map { scenario in
          var scenario = scenario
          scenario.claims += way.claims
          scenario.devices.append(device)
          scenario.unread.formUnion(way.unread)
          return scenario
        }
      }
    }
    return scenarios
  }

  /// Returns the facts and demands that a test must set up: the witness without the facts that the governor
  /// sets.
  func staged(_ witness: Witness) -> Witness {
    let own = Set(devices.flatMap { [$0.path + ".on", $0.path + ".available"] })
    var staged = witness
    staged.readings.removeAll { own.contains($0.path) || unread.contains($0.path) && $0.value == .unknown }
    staged.earlier.removeAll { own.contains($0.path) }
    return staged
  }

  /// Returns the possible reasons why a device is on or off. For each reason: the claims that must be true,
  /// and the facts that are then unknown.
  private static func ways(
    of device: DeviceID, _ rules: [CheckedRule], _ vocabulary: Vocabulary
  ) -> [(claims: [Claim], unread: Set<String>)] {
    let demanded = CheckedExpression(kind: .demanded(device), type: .boolean, span: .nowhere)
    let isOn = CheckedExpression.fact(device.path + ".on", .boolean)
    var basis: [Claim] = []
    if vocabulary.fact(device.path + ".available") != nil {
      basis.append(holds(.fact(device.path + ".available", .boolean)))
    }
    let limiting = rules.filter { rule in
      rule.directives.contains { $0.directive.targets.contains(device) && $0.directive.canKeepOff }
    }
    var ways: [(claims: [Claim], unread: Set<String>)] = [
      (
        basis + [holds(isOn), holds(demanded)]
          + limiting.map { .notInForce($0, $0.trigger.condition, of: $0.id.policy) }, []
      )
    ]
    // The device is off because it has no demand to serve: neither the device itself nor a device of its
    // ladder with an equal or higher rank has a demand. No rule starts these devices or needs one of their
    // facts.
    let served = vocabulary.served(by: device)
    let starting = rules.filter { rule in
      rule.directives.contains { directive in
        guard case .start = directive.directive.action else { return false }
        return directive.directive.targets.contains(where: served.contains)
      }
    }
    let readers = SensorReaders(of: served, rules, vocabulary)
    ways.append(
      (
        basis + [holds(.negation(of: isOn))] + served.map { holds(.notDemanded($0)) }
          + starting.map { .notInForce($0, $0.trigger.condition, of: $0.id.policy) } + readers.idle,
        readers.facts
      ))
    // The device is off because a rule stops or pauses it.
    for rule in limiting where rule.trigger.isLevel && served == [device] {
      let stops = rule.directives.contains { directive in
        directive.until == nil && directive.directive.targets.contains(device)
          && directive.directive.switchesOff
      }
      guard stops else { continue }
      let winners = rules.filter { $0.overrides.contains(rule.id) }
      ways.append(
        (
          basis + [holds(.negation(of: isOn)), holds(demanded), .inForce(rule)]
            + winners.map { .notInForce($0, $0.trigger.condition, of: $0.id.policy) }, []
        ))
    }
    return ways
  }

  private static func holds(_ condition: CheckedExpression) -> Claim {
    Claim(condition: condition, policy: SolverContext.all, mode: .holds)
  }
}

extension Directive {
  /// True when the directive may prevent its target from serving a demand.
  fileprivate var canKeepOff: Bool {
    switch action {
    case .stop, .pause, .postpone, .limitAccuracy, .stopService: true
    case .start, .locate, .slow, .limitAttributes, .batch, .serve, .resume: false
    }
  }

  /// True when the directive switches its targets off for every demand that it affects.
  fileprivate var switchesOff: Bool {
    switch action {
    case .stop, .pause: true
    case .start, .locate, .slow, .limitAttributes, .batch, .postpone, .limitAccuracy, .serve, .stopService,
      .resume:
      false
    }
  }
}

extension Vocabulary {
  /// Returns the devices whose demands this device may serve, including the device itself, sorted.
  fileprivate func served(by device: DeviceID) -> [DeviceID] {
    guard let ladder = manifest(device)?.ladder else { return [device] }
    return manifests.filter { other in
      other.device == device
        || other.ladder.map { $0.name == ladder.name && $0.rank >= ladder.rank } ?? false
    }.map(\.device).sorted()
  }
}
