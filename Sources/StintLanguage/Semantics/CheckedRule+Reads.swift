package import StintModel

extension CheckedRule {
  /// The condition of the trigger and the `until` conditions of the directives.
  package var readConditions: [CheckedExpression] {
    [trigger.condition].compactMap(\.self) + directives.compactMap(\.until)
  }

  /// The directives that watch a zone.
  package var watches: [CheckedDirective] {
    directives.filter { if case .locate = $0.directive.action { true } else { false } }
  }

  /// Returns the limited devices of the rule, without the `related` devices.
  ///
  /// The rule has an effect only while one of these devices has a demand. The set is empty for a rule that
  /// also has an effect without a demand. Such a rule starts a device, a service or transfers, watches a
  /// zone, or changes the state of a state machine. It can also perform an act other than `flush` and
  /// `violation`.
  ///
  /// - Returns: nil for a rule that only observes: a requirement, or a rule that limits only `related`
  ///   devices.
  package func targets(without related: [DeviceID], moves: Bool) -> Set<DeviceID>? {
    var targets: Set<DeviceID> = []
    var isUnconditional = moves
    for directive in directives.map(\.directive) {
      switch directive.action {
      case .start, .locate, .serve, .resume: isUnconditional = true
      default: targets.formUnion(directive.targets)
      }
    }
    for act in self.acts {
      switch act {
      case .flush(let flushed): targets.formUnion(flushed)
      case .violation: break
      case .fix, .emit, .tell, .launch: isUnconditional = true
      }
    }
    targets.subtract(related)
    return isUnconditional ? [] : targets.isEmpty ? nil : targets
  }

  /// How a rule reads the circular zones of its conditions.
  package struct PlaceReading {
    /// The devices that the rule limits, as in `targets(without:moves:)`.
    package var targets: Set<DeviceID>
    /// The positioning devices among `targets`. A reading of such a device by another rule also counts as a
    /// demand.
    package var limitedProviders: Set<DeviceID> = []
    /// The positioning devices that do not find positions for the rule. A rule that limits only positioning
    /// devices must not use them to read its zones.
    package var barred: Set<DeviceID> = []
  }

  /// Returns how the rule reads circular zones; nil for a rule that only observes them. A rule that
  /// limits positioning devices reads its zones with the other positioning devices, as the governor does.
  ///
  /// - Parameters:
  ///   - providers: the devices that publish positions.
  ///   - moves: true when the rule changes the state of a state machine.
  package func placeReading(_ providers: [DeviceID], moves: Bool) -> PlaceReading? {
    let others = targets(without: providers, moves: moves)
    if let others, others.isEmpty { return PlaceReading(targets: []) }
    let limited = Set(directives.flatMap(\.directive.targets)).intersection(providers)
    guard !limited.isEmpty else { return others.map { PlaceReading(targets: $0) } }
    return PlaceReading(
      targets: limited.union(others ?? []), limitedProviders: limited, barred: others == nil ? limited : [])
  }
}
