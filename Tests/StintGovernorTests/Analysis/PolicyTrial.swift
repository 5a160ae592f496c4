import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A governor with policies in force, and with devices that apply each setting immediately.
struct PolicyTrial {
  var governor: Governor
  private(set) var isOn: [Bool]
  /// For each device: the number of times that it was switched on.
  private(set) var switches: [Int]
  /// The number of transitions of state machines.
  private(set) var moves = 0
  /// The rules of violated requirements, one entry per violation.
  private(set) var violations: [RuleID] = []

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary, at start: Instant) throws {
    governor = Governor(vocabulary: vocabulary, at: start)
    isOn = vocabulary.manifests.map { _ in false }
    switches = vocabulary.manifests.map { _ in 0 }
    let image = try ImageVerifier.verify(Compiler.compile(policies, vocabulary: vocabulary))
    let defaults = policies.flatMap(\.defaults).map {
      DeviceDefaults(device: $0.device, wants: $0.wants, linger: $0.linger)
    }
    let program = Program(
      image: image, defaults: defaults, computed: policies.flatMap(\.computed),
      moves: policies.flatMap(\.moves))
    perform(try governor.load(program, at: start).effects)
  }

  mutating func demandSensors() {
    for (number, manifest) in governor.vocabulary.manifests.enumerated() where manifest.kind == .sensor {
      let demand = Demand(
        id: DemandID(Int64(number + 1)), client: "trial", target: manifest.device, wants: DemandSettings())
      perform(governor.step(.raise(demand), at: governor.now))
    }
  }

  /// Raises a demand with the strictest settings for a device, or releases this demand.
  mutating func demand(_ device: DeviceID, _ isDemanded: Bool) {
    guard let number = vocabulary.device(device) else { return }
    let id = DemandID(Int64(1000 + number))
    guard isDemanded else {
      perform(governor.step(.release(id), at: governor.now))
      return
    }
    let isRadio = vocabulary.manifests[number].kind == .radio
    let work = Transfer(bytesUp: 1000, bytesDown: 0, deadline: .zero)
    let wants = DemandSettings(
      accuracy: isRadio ? nil : 0.001, background: true, pausing: true, transfer: isRadio ? work : nil)
    perform(
      governor.step(.raise(Demand(id: id, client: "sharp", target: device, wants: wants)), at: governor.now))
  }

  private var vocabulary: Vocabulary { governor.vocabulary }

  /// Runs all timers up to this instant, then publishes a fact.
  mutating func set(_ fact: Int, _ value: FactValue, at instant: Instant) {
    advance(to: instant)
    perform(governor.step(.fact(fact, value), at: instant))
  }

  /// Advances the time, timer by timer.
  mutating func advance(to instant: Instant) {
    while governor.nextTimer <= instant {
      perform(governor.step(EmptyCollection(), at: max(governor.nextTimer, governor.now)))
    }
    if instant > governor.now { perform(governor.step(EmptyCollection(), at: instant)) }
  }

  private mutating func perform(_ effects: [Effect]) {
    var pending = effects[...]
    while let effect = pending.popFirst() {
      if case .act(let rule, .violation) = effect { violations.append(rule) }
      if case .moved = effect { moves += 1 }
      guard case .set(let device, let setting) = effect else { continue }
      let manifest = governor.vocabulary.manifests[device]
      if setting.isOn && !isOn[device] { switches[device] += 1 }
      isOn[device] = setting.isOn
      guard let state = manifest.states.firstIndex(where: { $0.isOn == setting.isOn }) else { continue }
      let outcome = Input.outcome(device: device, .state(state, period: setting.period))
      pending += governor.step(outcome, at: governor.now)
    }
  }
}
