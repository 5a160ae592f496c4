public import StintMachine
public import StintModel
import StintUnits

/// Rules that read facts of whoever asks: each demand that they reach is asked them by a machine of its own.
extension Governor {
  /// Puts the program's rules for demands in force; what did not change keeps its state, demand by demand. One of the
  /// machines that gave way stands for all.
  mutating func loadClientRules(_ prepared: PreparedProgram) -> FormerMachine? {
    let before = demandMachines
    demandMachines = []
    clientRules = prepared.clientRules
    let match = prepared.clientMatch
    for id in demands.keys.sorted() {
      attachMachine(to: id) { (fresh: inout Machine) in
        guard let old = before.first(where: { $0.demand == id }), let match else { return }
        fresh.adopt(old.machine, match)
      }
    }
    guard let first = before.first?.machine, let match else { return nil }
    return FormerMachine(
      machine: first, image: prepared.program.clientImage?.image ?? Image(), match: match, instant: now,
      demands: before.count)
  }

  /// Gives a demand that such a rule reaches its machine.
  mutating func attachMachine(
    to id: DemandID, adopting adopt: (inout Machine) -> Void = { _ in }
  ) {
    guard let rules = clientRules, let record = demands[id], rules.targets.contains(record.demand.target)
    else { return }
    var machine = Machine(rules.plan, timeZone: timeZone, at: now)
    for entry in rules.image.image.facts {
      // Facts of clients are nobody else's, so the common table never has them.
      guard facts.value(entry.number) != .unknown else { continue }
      machine.set(fact: entry.number, facts.value(entry.number), at: facts.instant(entry.number))
    }
    for (number, _) in rules.facts {
      machine.set(fact: number, clientFact(number, of: record), at: record.raised)
    }
    for device in devices where device.isDemanded { machine.setDemanded(device.manifest.device, true) }
    adopt(&machine)
    var isRecalled = false
    if let place = recalled.firstIndex(where: { $0.demand == id }) {
      machine.recall(recalled.remove(at: place).machine)
      isRecalled = true
    }
    let fresh = DemandMachine(demand: id, machine: machine)
    for (rule, isHeld) in fresh.isHeld.enumerated() where isHeld {
      clientRules?.holding[rules.rules[rule]] += 1
    }
    let place = demandMachines.firstIndex { $0.demand > id } ?? demandMachines.count
    demandMachines.insert(fresh, at: place)
    // What a demand brings along that is raised again after a restart nobody else notes.
    guard isRecalled, let image = program?.image.image, isHeld.count == image.rules.count else { return }
    for (rule, holds) in fresh.isHeld.enumerated() where holds && !isHeld[rules.rules[rule]] {
      isHeld[rules.rules[rule]] = true
      note(image.rules[rules.rules[rule]].id, holds: true)
    }
  }

  /// The demand is over: nothing is asked of it any more.
  mutating func detachMachine(from id: DemandID) {
    guard clientRules != nil, let place = place(ofMachine: id) else { return }
    let old = demandMachines.remove(at: place)
    for rule in old.isHeld.indices where old.isHeld[rule] { count(rule, holds: false) }
  }

  /// Lets the machines of demands settle and takes over what changed.
  mutating func settleDemands() {
    for place in demandMachines.indices {
      let changes = demandMachines[place].machine.settle(at: now)
      guard !changes.isEmpty, let record = demands[demandMachines[place].demand] else { continue }
      dirtyTargets[record.target] = true
      for change in changes {
        switch change {
        case .began(let directive): demandMachines[place].inForce[directive] = true
        case .ended(let directive): demandMachines[place].inForce[directive] = false
        case .held(let rule, let holds):
          demandMachines[place].isHeld[rule] = holds
          count(rule, holds: holds)
        // The checker lets none of these rules act.
        case .fired: continue
        }
      }
    }
  }

  /// Notes that a rule holds for one demand more or less; it is at work as long as it holds for any.
  private mutating func count(_ rule: Int, holds: Bool) {
    guard let number = clientRules?.rules[rule], let image = program?.image.image else { return }
    clientRules?.holding[number] += holds ? 1 : -1
    let isAtWork = clientRules?.holding[number] ?? 0 > 0
    guard isHeld[number] != isAtWork else { return }
    isHeld[number] = isAtWork
    note(image.rules[number].id, holds: isAtWork)
  }

  private func place(ofMachine id: DemandID) -> Int? {
    var low = 0
    var high = demandMachines.count
    while low < high {
      let middle = (low + high) / 2
      if demandMachines[middle].demand < id { low = middle + 1 } else { high = middle }
    }
    return low < demandMachines.count && demandMachines[low].demand == id ? low : nil
  }

  // MARK: Telling

  /// Tells all machines what is believed now.
  mutating func tell(fact: Int, _ value: FactValue) {
    machine?.set(fact: fact, value, at: now)
    for place in demandMachines.indices { demandMachines[place].machine.set(fact: fact, value, at: now) }
  }

  mutating func tell(demanded device: DeviceID, _ isDemanded: Bool) {
    machine?.setDemanded(device, isDemanded)
    for place in demandMachines.indices { demandMachines[place].machine.setDemanded(device, isDemanded) }
  }

  mutating func tell(succeeded device: DeviceID) {
    machine?.succeeded(device: device)
    for place in demandMachines.indices { demandMachines[place].machine.succeeded(device: device) }
  }

  // MARK: Asking

  private func clientFact(_ number: Int, of record: DemandRecord) -> FactValue {
    guard let rules = clientRules, let entry = rules.facts.first(where: { $0.number == number }) else {
      return .unknown
    }
    return entry.fact.value(
      client: record.demand.client, wants: completedWants(record), words: vocabulary.facts[number].type)
  }

  /// Whether a directive of the image of all is in force for a demand.
  func isInForce(_ directive: Int, for id: DemandID) -> Bool {
    if inForce[directive] { return true }
    guard let rules = clientRules, rules.directivePlaces[directive] >= 0, let place = place(ofMachine: id)
    else {
      return false
    }
    return demandMachines[place].inForce[rules.directivePlaces[directive]]
  }

  /// Whether a rule of the image of all holds for a demand; for nil, whether it holds for all of them.
  func holds(_ rule: Int, for id: DemandID?) -> Bool {
    guard let rules = clientRules, rules.rulePlaces[rule] >= 0 else { return isHeld[rule] }
    guard let id, let place = place(ofMachine: id) else { return false }
    return demandMachines[place].isHeld[rules.rulePlaces[rule]]
  }

  /// Whether a rule of the program's image holds, for any demand if each is asked it.
  public func isHeld(rule: Int) -> Bool { isHeld[rule] }

  /// What the condition of a rule of the program's image was when last looked at: once for each demand that is asked
  /// it, in their order; once in all for other rules.
  public func truths(of rule: Int) -> [Truth] {
    guard let rules = clientRules, rules.rulePlaces[rule] >= 0 else {
      return machine.map { [$0.truth(of: rule)] } ?? []
    }
    return demandMachines.map { $0.machine.truth(of: rules.rulePlaces[rule]) }
  }

  /// The machine that asks a demand the rules that read facts of clients; nil when no such rule reaches it.
  public func machine(asking demand: DemandID) -> Machine? {
    place(ofMachine: demand).map { demandMachines[$0].machine }
  }

  /// A fact of the client of a demand that such rules read, by its number in the vocabulary; nil for other facts.
  public func clientFact(_ number: Int, of demand: DemandID) -> FactValue? {
    guard let record = demands[demand], clientRules?.facts.contains(where: { $0.number == number }) == true
    else { return nil }
    return clientFact(number, of: record)
  }
}
