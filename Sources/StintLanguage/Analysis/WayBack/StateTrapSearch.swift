import StintModel

/// Finds states in which state machines stay permanently because of the devices that they keep off.
///
/// From a start state, the search follows the states that are reachable while the devices are off. The states
/// are a trap when all of them keep a device off, and no transition out of the states is possible while this
/// device is off. A machine may leave a state at once because of the last value of a device that is off. Such
/// a state is treated like the state that follows it.
struct StateTrapSearch {
  /// The largest number of rules on one device that are examined together.
  private static let maxAlternating = 12
  /// The largest number of reachable states of a machine that the search examines. The cost grows with the
  /// square of this number.
  private static let maxStates = 64

  let vocabulary: Vocabulary
  let schedules: [String: [CheckedSchedule]]
  /// The rules that switch a device off, except the rules that stay in force permanently on their own.
  let offs: [SwitchOffRule]
  let machines: [TrapMachine]
  /// For the id of each overridden rule: the rules that override it, with their policies.
  private(set) var winners: [RuleID: [(rule: CheckedRule, policy: String)]] = [:]

  init(_ policies: [CheckedPolicy], _ offs: [SwitchOffRule], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    self.offs = offs
    schedules = Dictionary(
      policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first })
    machines = TrapMachine.all(of: policies, vocabulary: vocabulary).filter {
      $0.runs.count <= Self.maxStates
    }
    for policy in policies {
      for rule in policy.rules where !rule.isInert {
        for loser in rule.overrides { winners[loser, default: []].append((rule, policy.name)) }
      }
    }
  }

  /// Returns every trap of one machine, and every trap of two or three machines that wait for each other.
  func traps() -> [StateTrap] {
    var found: [StateTrap] = []
    var knownTraps: [[Int: Set<Int>]] = []
    for (number, machine) in machines.enumerated() {
      for state in machine.runs.keys.sorted() where !containsKnownTrap([number: state], knownTraps) {
        guard let (trap, states) = trap(from: [number: state]) else { continue }
        knownTraps.append(states)
        found.append(trap)
      }
    }
    for start in groups() where !containsKnownTrap(start, knownTraps) && canMeet(start) {
      guard let (trap, states) = trap(from: start) else { continue }
      knownTraps.append(states)
      found.append(trap)
    }
    return found
  }

  /// Returns whether these states contain a trap that was found before.
  private func containsKnownTrap(_ start: [Int: Int], _ knownTraps: [[Int: Set<Int>]]) -> Bool {
    knownTraps.contains { trap in
      trap.allSatisfy { machine, states in start[machine].map(states.contains) ?? false }
    }
  }

  /// Returns a minimal group of rules for each device that rules can keep off permanently in turn. At every
  /// moment, at least one rule of the group keeps the device off.
  func alternations() -> [(device: DeviceID, rules: [SwitchOffRule], readings: [Witness.Reading])] {
    Set(offs.flatMap(\.targets)).sorted().compactMap { device in
      var rules = offs.filter { $0.targets.contains(device) }
      guard (2...Self.maxAlternating).contains(rules.count),
        var readings = search([:], [device], keeping: [device], [], by: rules)
      else { return nil }
      for number in rules.indices.reversed() {
        var fewer = rules
        fewer.remove(at: number)
        guard let found = search([:], [device], keeping: [device], [], by: fewer) else { continue }
        (rules, readings) = (fewer, found)
      }
      return (device, rules, readings)
    }
  }

  /// Returns the states of two or three machines that wait for each other, as `MachineGroups` finds them.
  private func groups() -> [[Int: Int]] {
    guard machines.count > 1 else { return [] }
    let nodes = machines.indices.flatMap { number in
      machines[number].runs.keys.sorted().map { MachineGroups.Node(machine: number, state: $0) }
    }
    let offFactsByNode = Dictionary(
      uniqueKeysWithValues: nodes.map { node in
        let devices = devicesOff(in: [node.machine: [node.state]])
        return (node, OffDeviceFacts(vocabulary: vocabulary, devices: devices))
      })
    let reads = Dictionary(
      uniqueKeysWithValues: nodes.map { node in
        (node, Set(machines[node.machine].exits(of: [node.state]).flatMap(\.written.facts)))
      })
    func depends(_ node: MachineGroups.Node, on other: MachineGroups.Node) -> Bool {
      guard let facts = reads[node], let off = offFactsByNode[other] else { return false }
      return facts.contains(machines[other.machine].path)
        || facts.contains(where: off.isLimited)
    }
    func isFinal(_ node: MachineGroups.Node) -> Bool {
      machines[node.machine].exits(of: [node.state]).isEmpty
    }
    return MachineGroups(nodes, isFinal: isFinal, depends: depends(_:on:)).all
  }

  /// Returns whether the machines can be in these states together. This is possible when all states are
  /// initial states, or when one machine can enter its state while each other machine is in its state.
  private func canMeet(_ start: [Int: Int]) -> Bool {
    if start.allSatisfy({ machines[$0.key].initial == $0.value }) { return true }
    return start.contains { number, state in
      var others = start.mapValues { Set([$0]) }
      others[number] = nil
      return machines[number].steps.contains { step in
        step.target == state && machines[number].runs[step.source] != nil
          && canHold(step, of: number, others, [])
      }
    }
  }

  // MARK: One trap

  /// Returns the trap that contains these states, and all states of the trap by machine. Nil when there is no
  /// such trap.
  private func trap(from start: [Int: Int]) -> (trap: StateTrap, states: [Int: Set<Int>])? {
    var states = start.mapValues { Set([$0]) }
    let own = devicesOff(in: states)
    guard !own.isEmpty else { return nil }
    for others in [[], Set(offs.flatMap(\.targets)).subtracting(own)] {
      let candidates = own.union(others)
      states = start.mapValues { Set([$0]) }
      while true {
        let devices = stableSubset(candidates, states)
        let exits = self.exits(of: states)
        if !devices.isDisjoint(with: own), let readings = search(states, devices, keeping: devices, exits) {
          return (makeTrap(states, devices, readings, from: start), states)
        }
        let taken = possibleExits(exits, states, devices.isEmpty ? candidates : devices)
        if taken.isEmpty { break }
        for exit in taken { states[exit.machine]?.insert(exit.step.target) }
      }
    }
    return nil
  }

  /// Returns the exits that the machines can take while the devices are off.
  ///
  /// An exit is unavoidable when facts of other devices can make its condition true, whatever the facts of
  /// the devices that are off. If unavoidable exits exist, the result contains only these exits. For every
  /// other exit, there are facts of the devices that are off with which the exit is impossible.
  private func possibleExits(
    _ exits: [(machine: Int, step: MachineStep)], _ states: [Int: Set<Int>], _ devices: Set<DeviceID>
  ) -> [(machine: Int, step: MachineStep)] {
    let possible = exits.filter { canHold($0.step, of: $0.machine, states, devices) }
    let unavoidable = possible.filter { search(states, devices, keeping: [], [$0]) == nil }
    return unavoidable.isEmpty ? possible : unavoidable
  }

  /// Returns the devices that may be off in these states, because of rules that read the machines.
  private func devicesOff(in states: [Int: Set<Int>]) -> Set<DeviceID> {
    let paths = Set(states.keys.map { machines[$0].path })
    let readers = offs.filter { off in
      off.rule.trigger.condition?.facts.contains(where: paths.contains) ?? false
    }
    let offFacts = offFacts([], states)
    return readers.reduce(into: []) { kept, off in
      guard let condition = off.rule.trigger.condition else { return }
      var world = OffDeviceConditions(
        [(condition.assumingDemands(on: off.targets), policy: off.policy.name)], offFacts: offFacts,
        schedules: schedules,
        vocabulary: vocabulary)
      if world.canHold() { kept.formUnion(off.targets) }
    }
  }

  /// Returns the largest stable subset of `devices`. While all devices of this subset are off, rules can keep
  /// each of them off.
  private func stableSubset(_ devices: Set<DeviceID>, _ states: [Int: Set<Int>]) -> Set<DeviceID> {
    var devices = devices
    while true {
      let remaining = devices.filter { search(states, devices, keeping: [$0], []) != nil }
      if remaining == devices { return remaining }
      devices = remaining
    }
  }

  private func exits(of states: [Int: Set<Int>]) -> [(machine: Int, step: MachineStep)] {
    states.keys.sorted().flatMap { number in
      machines[number].exits(of: states[number] ?? []).map { (number, $0) }
    }
  }

  func offFacts(_ devices: Set<DeviceID>, _ states: [Int: Set<Int>]) -> OffDeviceFacts {
    var offFacts = OffDeviceFacts(vocabulary: vocabulary, devices: devices)
    for (number, set) in states { offFacts.states[machines[number].path] = set }
    // A machine that enters the trap later was in another state before, in which the devices could be on. So
    // the facts of the devices are assumed to be known.
    offFacts.mayBeOffSinceStart = states.allSatisfy { $0.value.contains(machines[$0.key].initial) }
    return offFacts
  }

  private func canHold(
    _ step: MachineStep, of machine: Int, _ states: [Int: Set<Int>], _ devices: Set<DeviceID>
  ) -> Bool {
    var world = OffDeviceConditions(
      [(step.whole, policy: machines[machine].policy.name)], offFacts: offFacts(devices, states),
      schedules: schedules, vocabulary: vocabulary)
    return world.canHold()
  }

  private func makeTrap(
    _ states: [Int: Set<Int>], _ devices: Set<DeviceID>, _ readings: [Witness.Reading], from start: [Int: Int]
  ) -> StateTrap {
    let involved = states.keys.sorted().map { number in
      let machine = machines[number]
      let set = states[number] ?? []
      return StateTrap.Machine(
        policy: machine.policy, path: machine.path, states: set, exits: machine.exits(of: set),
        run: start[number].flatMap { machine.runs[$0] } ?? [])
    }
    return StateTrap(
      machines: involved, rules: offs.filter { !$0.targets.isDisjoint(with: devices) },
      devices: devices.sorted(), readings: readings)
  }
}
