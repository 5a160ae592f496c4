import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A rule VM in the state that a `Witness` describes. A witness contains the facts that reproduce a finding.
struct WitnessStage {
  private(set) var machine: RuleVM
  private let vocabulary: Vocabulary
  private let witness: Witness

  /// Compiles the policies, creates a VM, and applies the facts of a witness.
  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary, _ witness: Witness) throws {
    let image = try ImageVerifier.verify(Compiler.compile(policies, vocabulary: vocabulary))
    self.init(image, of: policies, vocabulary: vocabulary, witness)
  }

  /// Creates a VM for a compiled image and applies the facts of a witness.
  init(_ image: VerifiedImage, of policies: [CheckedPolicy], vocabulary: Vocabulary, _ witness: Witness) {
    self.vocabulary = vocabulary
    self.witness = witness
    // The epoch was a Thursday. 100 weeks and 4 days later is a Monday.
    let monday = Instant(nanoseconds: (100 * 7 + 4) * 86_400_000_000_000)
    let moment = monday + (witness.weekTime ?? .hours(12))
    let published = Instant(nanoseconds: moment.nanoseconds - witness.held.nanoseconds)
    let loaded = Self.loading(policies, witness, moment: moment, published: published)
    machine = RuleVM(image: image, timeZone: .utc, at: loaded)
    for (fact, schema) in vocabulary.facts.enumerated() {
      guard let device = schema.device, vocabulary.manifest(device)?.kind != .source else { continue }
      switch schema.path {
      case device.path + ".on": machine.set(fact: fact, .boolean(false), at: loaded)
      case device.path + ".available": machine.set(fact: fact, .boolean(true), at: loaded)
      default: continue
      }
    }
    if !witness.isFresh {
      publish(witness.earlier, witness.earlierDemands, at: loaded)
      keep(witness.earlier, from: loaded, to: published)
    }
    publish(witness.readings, witness.demands, at: published)
    keep(witness.readings, from: published, to: moment)
    _ = machine.propagate(at: moment)
  }

  /// Returns the instant at which to load the policies. A periodic rule then acts exactly at the instant of
  /// the witness.
  private static func loading(
    _ policies: [CheckedPolicy], _ witness: Witness, moment: Instant, published: Instant
  ) -> Instant {
    for rule in policies.flatMap(\.rules) {
      guard case .every(let period, _, _) = rule.trigger else { continue }
      let periods = max(1, (witness.held.nanoseconds + period.nanoseconds - 1) / period.nanoseconds)
      return Instant(nanoseconds: moment.nanoseconds - periods * period.nanoseconds)
    }
    return witness.isFresh ? published : Instant(nanoseconds: published.nanoseconds - 3_600_000_000_000)
  }

  private mutating func publish(
    _ readings: [Witness.Reading], _ demands: [Witness.DemandAssumption], at instant: Instant
  ) {
    for reading in readings {
      if let fact = vocabulary.fact(reading.path) { machine.set(fact: fact, reading.value, at: instant) }
    }
    for wanting in demands { machine.setDemanded(wanting.device, wanting.isDemanded) }
    _ = machine.propagate(at: instant)
  }

  /// Publishes values again each time they reach their maximum age, except the values of the facts
  /// in `witness.silent`.
  private mutating func keep(_ readings: [Witness.Reading], from start: Instant, to end: Instant) {
    var due: [(Instant, Int, FactValue)] = []
    for reading in readings where reading.value != .unknown && !witness.silent.contains(reading.path) {
      guard let fact = vocabulary.fact(reading.path), let maxAge = vocabulary.facts[fact].maxAge else {
        continue
      }
      var next = start + maxAge
      while next <= end {
        due.append((next, fact, reading.value))
        next = next + maxAge
      }
    }
    for (instant, fact, value) in due.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      machine.set(fact: fact, value, at: instant)
      _ = machine.propagate(at: instant)
    }
  }

  /// Returns whether the rule's condition is true, or one of its directives is in force.
  func isActive(_ rule: String) -> Bool {
    guard let number = machine.image.rules.firstIndex(where: { $0.id.rule == rule }) else { return false }
    return machine.isActive(rule: number)
  }
}
