import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits

@testable import StintTools

/// A shipped policy with its bounds of wake-ups, and the choices for adversaries. An adversary is a sequence
/// of inputs that tries to exceed a bound.
struct BoundedPolicy {
  let name: String
  let program: Program
  let vocabulary: Vocabulary
  let bounds: [WakeupBound]
  let choices: AdversaryChoices

  /// Returns all shipped policies, sorted by file.
  static func shipped() throws -> [BoundedPolicy] {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    return try PolicyFiles.read([Repository.path("policies")]).map { source in
      let loaded = PolicyLoader(vocabulary: vocabulary).load([source])
      guard let program = loaded.program else {
        preconditionFailure("\(source.file) cannot be loaded: \(loaded.diagnostics.map(\.title))")
      }
      return BoundedPolicy(
        name: loaded.policies[0].name, program: program, vocabulary: vocabulary,
        bounds: WakeupBound.all(loaded.policies, vocabulary: vocabulary),
        choices: choices(program, loaded.policies, vocabulary))
    }
  }

  /// Returns each count as a share of the bound of its device. `broken` is a device that exceeds its bound;
  /// nil when no device does.
  func judge(_ wakeups: [Int]) -> (shares: [DeviceID: Double], broken: DeviceID?) {
    var shares: [DeviceID: Double] = [:]
    var broken: DeviceID?
    for bound in bounds {
      guard let number = vocabulary.device(bound.device), case .atMost(let most) = bound.limit else {
        continue
      }
      shares[bound.device] = Double(wakeups[number]) / Double(most)
      if wakeups[number] > most { broken = bound.device }
    }
    return (shares, broken)
  }

  private static func choices(
    _ program: Program, _ policies: [CheckedPolicy], _ vocabulary: Vocabulary
  ) -> AdversaryChoices {
    let images = [program.image.image] + [program.perDemandImage?.image].compactMap(\.self)
    let numbers = Set(images.flatMap { $0.facts.map(\.number) }).sorted()
    var facts: [(fact: Int, values: [FactValue])] = []
    for number in numbers where number < vocabulary.firstComputed {
      let schema = vocabulary.facts[number]
      let isOwn = schema.device.map { device in
        [".on", ".state", ".available"].contains { schema.path == device.path + $0 }
          && vocabulary.manifest(device)?.kind != .source
      }
      if isOwn != true { facts.append((number, values(schema, images.flatMap(\.constants)))) }
    }
    if !program.computed.isEmpty { facts += places(program, vocabulary) }
    if facts.isEmpty, let any = vocabulary.fact("screen.on") { facts = [(any, [.boolean(true)])] }
    var gaps = images.flatMap(\.spans) + images.flatMap(\.directives).compactMap(\.duration)
    for slot in images.flatMap(\.slots) {
      switch slot.kind {
      case .heldFor(let span, _), .inLast(let span), .window(_, _, let span, _): gaps.append(span)
      case .latch: continue
      }
    }
    gaps += program.defaults.compactMap(\.linger)
    let spans = gaps.filter { $0 < .hours(1) }.flatMap { [$0, $0 + .milliseconds(1), $0 + .seconds(11)] }
    return AdversaryChoices(
      vocabulary: vocabulary, facts: facts,
      gaps: spans + [.milliseconds(1), .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30)],
      sensors: vocabulary.manifests.indices.filter { vocabulary.manifests[$0].kind == .sensor },
      switches: RuleSwitch.all(policies, vocabulary))
  }

  private static func values(_ schema: FactSchema, _ constants: [Double]) -> [FactValue] {
    switch schema.type {
    case .boolean: return [.boolean(false), .boolean(true)]
    case .symbol(let words): return words.indices.map { .symbol($0) } + [.unknown]
    case .quantity:
      let inside = constants.filter { schema.range?.contains($0) ?? true }
      let steps = inside.flatMap { [$0, $0 * 0.9 - 0.001, $0 * 1.1 + 0.001] }
      return steps.filter { schema.range?.contains($0) ?? true }.map { .number($0) }
    }
  }

  /// Returns values of position facts inside and outside of the zones.
  private static func places(_ program: Program, _ vocabulary: Vocabulary) -> [(
    fact: Int, values: [FactValue]
  )] {
    var centres: [Coordinate] = []
    for fact in program.computed {
      if case .zone(let zone, _) = fact.source, case .circle(let centre, _) = zone.shape {
        centres.append(centre)
      }
    }
    guard !centres.isEmpty else { return [] }
    return ["location.gnss", "location.wifi"].flatMap { device -> [(fact: Int, values: [FactValue])] in
      guard let latitude = vocabulary.fact(device + ".latitude"),
        let longitude = vocabulary.fact(device + ".longitude"),
        let accuracy = vocabulary.fact(device + ".accuracy")
      else { return [] }
      return [
        (latitude, centres.flatMap { [.number($0.latitude), .number($0.latitude + 1)] }),
        (longitude, centres.map { .number($0.longitude) }), (accuracy, [.number(5), .number(30)]),
      ]
    }
  }
}
