import StintModel
import StintUnits

/// The reference evaluator: it computes the decisions of policies from the complete history of inputs.
///
/// It is slow, and it shares no algorithm with the governor. A page (`ReferencePage`) is the state between
/// two changes. Every condition and every rule is computed again on each new page. Every grant is computed
/// again at the end of each step.
struct PolicyReference {
  let world: PlanWorld
  let policies: [PlanPolicy]
  let start: Int64
  let utcOffset: TimeSpan
  var nodes: ReferenceNodes
  var rules: [ReferenceRule] = []
  var page: ReferencePage
  /// For each fact, all published values, including unknown values.
  var published: [[(time: Int64, value: FactValue)]]
  var fixes: [(time: Int64, place: PlanStory.Place)] = []
  /// For each device, the times at which it was turned on and off.
  var switches: [[(time: Int64, isOn: Bool)]]
  /// For each device, the times at which its setting changed from off to on.
  var wakeups: [[Int64]]
  /// For each device, the indices of the pages on which it delivered a fix of sufficient accuracy.
  var successes: [[Int]]
  /// For each policy and state machine, the time of the last transition; nil before the first.
  var lastMoves: [[Int64?]]
  /// For each policy and state machine, the time until which the next transition must wait; nil without a
  /// wait.
  var waits: [[Int64?]]
  /// For each policy and state machine, the ends of its consecutive waits. A transition that did not have to
  /// wait empties the list.
  var rounds: [[[Int64]]]
  var demands: [ReferenceDemand] = []
  /// The id of the next demand of a rule; demands of clients have positive ids.
  private var nextRuleDemand: Int64 = -1
  var settings: [Setting]
  /// For each device, the demands that were served by its last setting with `isOn`; empty once the device is
  /// off.
  var causes: [[ReferenceDemand]]
  /// For each device, the end of its linger after its last demand; nil while it does not linger.
  var lingers: [Int64?]
  /// The decisions, in the format of the governor's log.
  private(set) var log: [String] = []
  /// The decisions of the current step. They are written to `log` at the end of the step, because the text of
  /// a setting names its cause at that time.
  private var lines: [Line] = []

  private enum Line {
    case text(String)
    case set(Int, Setting)
  }

  init(_ policies: [PlanPolicy], in world: PlanWorld, story: PlanStory) {
    let devices = PlanWorld.Device.allCases
    self.world = world
    self.policies = policies
    start = story.start.nanoseconds
    utcOffset = story.utcOffset
    nodes = ReferenceNodes(world: world, policies: policies)
    page = ReferencePage(
      time: start, isOn: devices.map { _ in false }, isAvailable: devices.map { _ in true },
      isDemanded: devices.map { _ in false }, states: policies.map { $0.machines.map { _ in 0 } },
      isInside: policies.map { $0.zones.map { _ in nil } }, pulses: policies.map { $0.zones.map { _ in nil } }
    )
    published = PlanWorld.Fact.allCases.map { _ in [] }
    switches = devices.map { _ in [] }
    wakeups = devices.map { _ in [] }
    successes = devices.map { _ in [] }
    lastMoves = policies.map { $0.machines.map { _ in nil } }
    waits = lastMoves
    rounds = policies.map { $0.machines.map { _ in [] } }
    settings = devices.map { _ in .off }
    causes = devices.map { _ in [] }
    lingers = devices.map { _ in nil }
    translatePolicies()
    step(at: start) { _ in }
  }

  /// Applies a change at an instant, in nanoseconds since 1970, and computes the decisions. The devices
  /// execute new settings at the same instant, which causes another step.
  ///
  /// - Parameter isWake: false for an additional page at a time at which the governor takes no step.
  mutating func step(at time: Int64, isWake: Bool = true, _ change: (inout PolicyReference) -> Void) {
    page.time = time
    page.isWake = isWake
    change(&self)
    readZones()
    for place in waits.indices {
      for machine in waits[place].indices where waits[place][machine].map({ $0 <= time }) ?? false {
        waits[place][machine] = nil
      }
    }
    settle()
    finish()
    arbitrate()
    let stepLines = lines
    lines = []
    for line in stepLines {
      switch line {
      case .text(let text): log.append("\(time) \(text)")
      case .set(let device, let setting):
        log.append(
          "\(time) set \(PlanWorld.Device.allCases[device].id) \(setting); because \(cause(of: device))")
      }
    }
    answer(stepLines)
  }

  private mutating func answer(_ stepLines: [Line]) {
    var answers: [(device: Int, isOn: Bool)] = []
    for case .set(let device, let setting) in stepLines { answers.append((device, setting.isOn)) }
    guard !answers.isEmpty else { return }
    step(at: page.time) { reference in
      for answer in answers {
        reference.page.isOn[answer.device] = answer.isOn
        reference.switches[answer.device].append((reference.page.time, answer.isOn))
        if !answer.isOn, !reference.settings[answer.device].isOn {
          reference.causes[answer.device] = []
        }
      }
    }
  }

  mutating func tell(_ text: String) { lines.append(.text(text)) }

  mutating func set(_ device: Int, to setting: Setting) {
    guard settings[device] != setting else { return }
    if setting.isOn, !settings[device].isOn { wakeups[device].append(page.time) }
    settings[device] = setting
    lines.append(.set(device, setting))
  }

  // MARK: Turning pages

  /// Begins new pages until no state machine changes its state. If the host entered or left a zone in this
  /// step, this event then ends. Further pages then begin until no state machine changes its state.
  private mutating func settle() {
    repeat {
      turn()
      while move() { turn() }
    } while endPulses()
  }

  private mutating func turn() {
    page.isDemanded = PlanWorld.Device.allCases.map { device in
      let number = device.rawValue
      // A device that lingers still counts as demanded, by the client of its last demand.
      let isOn = !causes[number].isEmpty && (settings[number].isOn || page.isOn[number])
      return isOn || demands.contains { $0.target == device }
    }
    // The nodes are moved out of `self` during the change, so that they are not copied.
    var nodes = self.nodes
    self.nodes = ReferenceNodes(world: world, policies: [])
    nodes.turn(at: page.time) { value(of: $0) }
    self.nodes = nodes
    for place in rules.indices { evaluateRule(at: place) }
  }

  private mutating func endPulses() -> Bool {
    guard page.pulses.contains(where: { $0.contains { $0 != nil } }) else { return false }
    page.pulses = page.pulses.map { $0.map { _ in nil } }
    return true
  }

  /// Executes at most one transition of each state machine. A second transition at the same instant must
  /// wait. Returns whether a machine changed its state.
  private mutating func move() -> Bool {
    var hasMoved = false
    for (place, policy) in policies.enumerated() {
      for case .machine(let machine) in policy.items {
        let way = rules.first { rule in
          rule.isActive && rule.move.map { $0.policy == place && $0.machine == machine } ?? false
        }
        guard let move = way?.move, waits[place][machine] == nil else { continue }
        if lastMoves[place][machine] == page.time {
          let end = page.time + min(1_000_000 << min(rounds[place][machine].count, 20), 60_000_000_000)
          waits[place][machine] = end
          rounds[place][machine].append(end)
          continue
        }
        if rounds[place][machine].last != page.time { rounds[place][machine] = [] }
        lastMoves[place][machine] = page.time
        page.states[place][machine] = move.target
        tell("machine \(policy.name)/mode\(machine) s\(move.target)")
        hasMoved = true
      }
    }
    return hasMoved
  }

  // MARK: Demands

  mutating func raise(
    _ client: String, _ target: PlanWorld.Device, _ wants: DemandSettings, id: Int64? = nil,
    rule: RuleID? = nil
  ) -> Int64 {
    let number = id ?? nextRuleDemand
    if id == nil { nextRuleDemand -= 1 }
    demands.append(
      ReferenceDemand(id: number, client: client, target: target, wants: wants, raised: page.time, rule: rule)
    )
    demands.sort { $0.id < $1.id }
    return number
  }

  mutating func release(_ id: Int64) {
    guard let place = demands.firstIndex(where: { $0.id == id }) else { return }
    let demand = demands.remove(at: place)
    tell("ended \(demand.client) \(DemandID(demand.id)) \(demand.target.id)")
  }
}
