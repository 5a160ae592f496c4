import StintFormats
import StintGovernor
import StintLanguage
public import StintModel
import StintRuntime
import StintSimulation
public import StintUnits

/// Computes the decisions for given facts, line by line. Memory use does not depend on the number of lines.
///
/// One client demands every sensor and radio that the policies use, with default settings. Devices apply
/// their settings at once. The lines define the time: a timer of a policy expires when the time of a line
/// reaches or passes the instant of the timer.
public struct PolicyEvaluation {
  /// The maximum number of exchanges between devices and policies at one instant; it prevents an endless
  /// loop.
  private static let maxRounds = 1000

  private let program: Program
  private let names: FactNames
  private let timeZone: TimeZoneRules
  /// True when each fact keeps its value until a later line sets the fact. False when each fact that a line
  /// does not name is unknown.
  private let isIncremental: Bool
  private let devices: [EvaluatedDevice]
  /// True when rule names include the policy's name, because several policies are loaded.
  private let hasSeveralPolicies: Bool

  private var governor: Governor?
  private var grants: [DemandID: Grant] = [:]
  private var isOn: [Bool]
  private var acted: [RuleID] = []
  /// The facts that the previous line named, as indexes in the vocabulary; empty when `isIncremental`.
  private var given: Set<Int> = []
  /// The devices whose state the lines specify, as indexes in the vocabulary.
  private var scripted: Set<Int> = []
  /// The active demand of each device, by index in `devices`. Nil before the demand is raised and after it
  /// has ended.
  private var demands: [DemandID?]
  private var nextDemand: Int64 = 1

  /// Loads policies for the devices and facts of `vocabulary`.
  ///
  /// - Parameters:
  ///   - timeZone: the name of the time zone; nil for UTC.
  ///   - isIncremental: true when each fact keeps its value until a later line sets the fact; false when each
  ///     fact that a line does not name is unknown.
  /// - Throws: `PolicyRefusal` when a policy has errors; `Problem` when a file or the time zone cannot be
  ///   read.
  public init(policies paths: [String], vocabulary: Vocabulary, timeZone: String?, isIncremental: Bool) throws
  {
    let sources = try PolicyFiles.read(paths)
    let loaded = PolicyLoader(vocabulary: vocabulary).load(sources)
    guard let program = loaded.program else {
      throw PolicyRefusal(check: PolicyCheck(sources, vocabulary: vocabulary))
    }
    self.program = program
    self.timeZone = try timeZone.map { try TimeZoneRules(option: $0) } ?? .utc
    self.isIncremental = isIncremental
    hasSeveralPolicies = loaded.policies.count > 1
    // A line of facts is not a sample, so the minimum periods in the manifests do not apply.
    let open = Vocabulary(
      manifests: vocabulary.manifests.map { manifest in
        var manifest = manifest
        for place in manifest.facts.indices { manifest.facts[place].fastest = nil }
        return manifest
      },
      declared: vocabulary.facts.indices.filter { !vocabulary.isAbsent($0) }.map { vocabulary.facts[$0] })
    let uses = EvaluatedDevice.uses(in: sources)
    names = FactNames(
      vocabulary: open.naming(program.computed), aliases: uses.reduce(into: [:]) { $0[$1.alias] = $1.device })
    devices = EvaluatedDevice.all(of: uses, vocabulary: open)
    isOn = Array(repeating: false, count: open.manifests.count)
    demands = Array(repeating: nil, count: devices.count)
  }

  /// Returns the decisions after one line, as a JSON object on a single line.
  ///
  /// - Throws: `Problem` when the line is malformed, contains an unknown fact or an invalid value, or has an
  ///   earlier time than the previous line.
  public mutating func decide(_ line: ArraySlice<UInt8>) throws(Problem) -> String {
    let read = try FactLine(line, names: names)
    try reach(read.instant)
    acted.removeAll(keepingCapacity: true)
    var inputs: [Input] = []
    if !isIncremental {
      let named = Set(read.facts.map(\.number))
      for fact in given.subtracting(named).sorted() { inputs.append(.fact(fact, .unknown)) }
      given = named
    }
    for fact in read.facts { inputs.append(.fact(fact.number, fact.value)) }
    noteScripted(read.facts.map(\.number))
    step(newDemands() + inputs, at: read.instant)
    return text(for: read)
  }

  // MARK: Time

  /// Advances the time to a line's instant and first runs the timers that expire before this instant.
  private mutating func reach(_ instant: Instant) throws(Problem) {
    guard let now = governor?.now else {
      var fresh = Governor(vocabulary: names.vocabulary.computing([]), timeZone: timeZone, at: instant)
      let effects: [Effect]
      do throws(Problem) {
        effects = try fresh.load(program, at: instant).effects
      } catch {
        preconditionFailure("policies compiled for these devices must load: \(error)")
      }
      governor = fresh
      step(answers(to: effects), at: instant)
      return
    }
    guard instant >= now else {
      throw Problem(
        .content, cause: "“at” is \(now - instant) before the previous line",
        remedy: "sort the lines by time")
    }
    while let next = governor?.nextTimer, next < instant { step([], at: next) }
  }

  /// Runs one step of the governor with `first`. Then runs further steps with the reports of the devices,
  /// until the devices report nothing.
  private mutating func step(_ first: [Input], at instant: Instant) {
    var inputs = first
    for _ in 0..<Self.maxRounds {
      guard let effects = governor?.step(inputs, at: instant) else { return }
      inputs = answers(to: effects)
      if inputs.isEmpty { return }
    }
  }

  private mutating func answers(to effects: [Effect]) -> [Input] {
    var inputs: [Input] = []
    for effect in effects {
      switch effect {
      case .set(let device, let setting):
        isOn[device] = setting.isOn
        if scripted.contains(device) { continue }
        let manifest = names.vocabulary.manifests[device]
        let state = setting.isOn ? manifest.cheapestOnState : manifest.initial
        inputs.append(.outcome(device: device, .state(state, period: setting.isOn ? setting.period : nil)))
      case .drain(let device, let reason):
        inputs.append(.delivered(device: device, samples: 1, reason: reason))
      case .carry(_, let ids, _): inputs += ids.map { .carried($0) }
      case .grant(let demand, let grant): grants[demand.id] = grant
      case .ended(let demand):
        // The output shows the last grant until the device is demanded again.
        if let place = demands.firstIndex(of: demand.id) {
          demands[place] = nil
        } else {
          grants[demand.id] = nil
        }
      case .act(let rule, _): acted.append(rule)
      case .wakeProcessor, .read, .moved, .began, .ceased, .refused, .faulted: continue
      }
    }
    return inputs
  }

  // MARK: Demands

  /// Raises a demand for each device that has no active demand.
  private mutating func newDemands() -> [Input] {
    var inputs: [Input] = []
    for place in devices.indices where demands[place] == nil {
      if let old = shown[place] { grants[old] = nil }
      let id = DemandID(nextDemand)
      nextDemand += 1
      demands[place] = id
      shown[place] = id
      let wants = DemandSettings(transfer: devices[place].isRadio ? Transfer(bytesUp: 1, bytesDown: 0) : nil)
      inputs.append(
        .raise(Demand(id: id, client: ClientID("eval"), target: devices[place].device, wants: wants)))
    }
    return inputs
  }

  /// The demand whose grant the output shows, by index in `devices`.
  private var shown: [Int: DemandID] = [:]

  /// Records devices whose state the lines specify. From then on, a setting no longer changes the state of
  /// these devices automatically.
  private mutating func noteScripted(_ facts: [Int]) {
    for fact in facts {
      let schema = names.vocabulary.facts[fact]
      guard let name = schema.device, let device = names.vocabulary.device(name),
        ["on", "state"].contains(schema.path.dropFirst(name.path.count + 1))
      else { continue }
      scripted.insert(device)
    }
  }

  // MARK: Results

  private func text(for line: FactLine) -> String {
    var rules: [String] = []
    for rule in (governor?.rulesInForce ?? []) + acted {
      let name = hasSeveralPolicies ? rule.description : rule.rule
      if !rules.contains(name) { rules.append(name) }
    }
    let settings = devices.indices.map { place in
      JSONMember(
        devices[place].key,
        devices[place].json(isOn: isOn[devices[place].number], grant: shown[place].flatMap { grants[$0] }))
    }
    return JSONWriter.text(of: [
      "at": line.time, "settings": JSONValue(settings), "rules": JSONValue(rules.map { JSONValue($0) }),
    ])
  }
}
