import StintCompiler
import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
import StintUnits

/// A replay of a counterexample to a requirement. It uses a governor whose devices apply each setting
/// at once.
///
/// The analysis finds counterexamples from the conditions of the rules alone. The governor also switches
/// sensors on to read facts and to locate the host, so a counterexample is printed only if the replay also
/// violates the requirement.
public struct RefutationReplay {
  /// The largest number of steps of one replay; a counterexample that takes longer counts as not reproduced.
  private static let maxSteps = 200_000

  private var governor: Governor
  private let vocabulary: Vocabulary
  /// By device index: true while the device is on.
  private var isOn: [Bool]
  private var steps = 0

  /// Returns whether the facts and demands of the counterexample `witness` violate the requirement after the
  /// devices have applied their settings.
  ///
  /// - Precondition: the checker found no error in the policies.
  @Sendable public static func isViolated(
    _ requirement: CheckedRequirement, of policies: [CheckedPolicy], by witness: Witness,
    _ vocabulary: Vocabulary
  ) -> Bool {
    // The epoch, 1970-01-01, was a Thursday. This is the Monday 100 weeks and 4 days later.
    let monday = Instant(nanoseconds: (100 * 7 + 4) * 86_400_000_000_000)
    let moment = monday + (witness.weekTime ?? .hours(12))
    let publishInstant = Instant(nanoseconds: moment.nanoseconds - witness.held.nanoseconds)
    let hourBefore = Instant(nanoseconds: publishInstant.nanoseconds - 3_600_000_000_000)
    let loadInstant = witness.isFresh ? publishInstant : hourBefore
    guard let program = program(of: policies, watching: requirement.id, vocabulary),
      let rule = program.image.image.rules.firstIndex(where: { $0.id == requirement.id }),
      var replay = RefutationReplay(program, vocabulary, at: loadInstant)
    else { return false }
    if !witness.isFresh {
      replay.publish(witness.earlier, witness.earlierDemands, at: loadInstant)
      replay.keepKnown(witness.earlier, silent: witness.silent, from: loadInstant, to: publishInstant)
    }
    replay.publish(witness.readings, witness.demands, at: publishInstant)
    // A device that lost its last demand may stay on for its linger.
    let linger = policies.flatMap(\.defaults).compactMap(\.linger).max() ?? .zero
    replay.keepKnown(
      witness.readings, silent: witness.silent, from: publishInstant,
      to: moment + min(linger, .hours(1)) + .seconds(1))
    return replay.steps <= maxSteps && replay.governor.truths(of: rule).contains(.yes)
  }

  /// Returns the program in which the governor checks only one requirement; nil when the policies do
  /// not compile.
  private static func program(
    of policies: [CheckedPolicy], watching id: RuleID, _ vocabulary: Vocabulary
  ) -> Program? {
    let watching = policies.map { policy in
      var policy = policy
      for number in policy.requirements.indices {
        let isWatched = policy.requirements[number].id == id
        policy.requirements[number].verdict = isWatched ? .open : .proved(because: "", assuming: nil)
      }
      return policy
    }
    do throws(RejectedPolicies) { return try PolicyLoader.program(of: watching, vocabulary) } catch {
      return nil
    }
  }

  private init?(_ program: Program, _ vocabulary: Vocabulary, at start: Instant) {
    self.vocabulary = vocabulary.naming(program.computed)
    governor = Governor(vocabulary: vocabulary, at: start)
    isOn = vocabulary.manifests.map { _ in false }
    do { applySettings(try governor.load(program, at: start).effects) } catch { return nil }
  }

  private mutating func publish(
    _ readings: [Witness.Reading], _ demands: [Witness.DemandAssumption], at instant: Instant
  ) {
    for assumed in demands { demand(assumed.device, assumed.isDemanded) }
    for reading in readings {
      guard let fact = vocabulary.fact(reading.path) else { continue }
      if let sensor = sensor(of: fact) {
        // The sensor publishes this fact only while it is on, so the sensor needs a demand.
        let device = vocabulary.manifests[sensor].device
        if !isOn[sensor], !demands.contains(where: { $0.device == device }) { demand(device, true) }
      }
      set(fact, reading.value, at: instant)
    }
  }

  /// Publishes each value again whenever it reaches the maximum age of its fact, and advances the time to
  /// `end`. Does not publish the facts in `silent` again.
  private mutating func keepKnown(
    _ readings: [Witness.Reading], silent: [String], from start: Instant, to end: Instant
  ) {
    var repeated: [(Instant, Int, FactValue)] = []
    for reading in readings where reading.value != .unknown && !silent.contains(reading.path) {
      guard let fact = vocabulary.fact(reading.path), let age = vocabulary.facts[fact].maxAge,
        age > .zero
      else { continue }
      var next = start + age
      while next <= end && repeated.count < Self.maxSteps {
        repeated.append((next, fact, reading.value))
        next = next + age
      }
    }
    for (instant, fact, value) in repeated.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      set(fact, value, at: instant)
    }
    advance(to: end)
  }

  /// Raises a demand with the strictest settings for a device, or releases that demand.
  private mutating func demand(_ device: DeviceID, _ isDemanded: Bool) {
    guard let number = vocabulary.device(device) else { return }
    let id = DemandID(Int64(number + 1))
    guard isDemanded else { return step(.release(id), at: governor.now) }
    let isRadio = vocabulary.manifests[number].kind == .radio
    let work = Transfer(bytesUp: 1000, bytesDown: 0, deadline: .zero)
    let wants = DemandSettings(
      accuracy: isRadio ? nil : 0.001, background: true, pausing: true, transfer: isRadio ? work : nil)
    step(.raise(Demand(id: id, client: "replay", target: device, wants: wants)), at: governor.now)
  }

  /// Publishes a fact. Does nothing when the sensor that measures the fact is off.
  private mutating func set(_ fact: Int, _ value: FactValue, at instant: Instant) {
    advance(to: instant)
    if let sensor = sensor(of: fact), !isOn[sensor] { return }
    step(.fact(fact, value), at: instant)
  }

  /// Returns the sensor that publishes the fact only while it is on; nil when none exists.
  private func sensor(of fact: Int) -> Int? {
    let schema = vocabulary.facts[fact]
    guard let device = schema.device.flatMap({ vocabulary.device($0) }),
      vocabulary.manifests[device].isSensed(schema)
    else { return nil }
    return device
  }

  /// Advances the time from timer to timer.
  private mutating func advance(to instant: Instant) {
    while governor.nextTimer <= instant && steps <= Self.maxSteps {
      step(nil, at: max(governor.nextTimer, governor.now))
    }
    if instant > governor.now { step(nil, at: instant) }
  }

  private mutating func step(_ input: Input?, at instant: Instant) {
    guard steps <= Self.maxSteps else { return }
    applySettings(governor.step(CollectionOfOne(input).compactMap(\.self), at: instant))
  }

  /// Reports the new state of each device that received a setting. Repeats this until the governor sends no
  /// further setting.
  private mutating func applySettings(_ effects: [Effect]) {
    steps += 1
    var pending = effects[...]
    while let effect = pending.popFirst() {
      guard case .set(let device, let setting) = effect else { continue }
      isOn[device] = setting.isOn
      let states = vocabulary.manifests[device].states
      guard let state = states.firstIndex(where: { $0.isOn == setting.isOn }) else { continue }
      let outcome = Input.outcome(device: device, .state(state, period: setting.period))
      pending += governor.step(outcome, at: governor.now)
      steps += 1
    }
  }
}
