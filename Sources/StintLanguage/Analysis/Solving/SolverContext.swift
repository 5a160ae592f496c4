import StintModel
import StintUnits

/// The data that all searches of a `Solver` use: schedules, maximum ages, and relations between facts.
final class SolverContext: Sendable {
  /// The policy name of conditions that `unplaced(_:of:)` has already converted.
  static let all = ""

  /// The two facts of a device that show whether the device is on: `on` and `state`.
  struct EquivalentFacts {
    var on: Leaf
    var state: Leaf
    /// For each state: whether the device is on in this state.
    var isOn: [Bool]
  }

  let vocabulary: Vocabulary
  /// The schedules of each policy, by the policy's name.
  let schedules: [String: [CheckedSchedule]]
  let equivalentFacts: [EquivalentFacts]
  /// Momentary facts. Each of these facts implies a value of another fact: entering a zone implies being
  /// inside.
  let pulses: [(pulse: Leaf, state: Leaf, value: Double)]
  /// Pairs of facts of which at most one is true. A client has only one name, so it does not have two
  /// different names. The host does not enter and leave a zone in one step.
  let exclusive: [(Leaf, Leaf)]
  /// Paths of facts that are never unknown. These are the facts that the governor sets, such as `on` of a
  /// device, and the client facts that always have a value.
  let neverUnknown: Set<String>

  /// The maximum age of a device's facts, by device, where policies set one.
  private let maxAges: [DeviceID: TimeSpan]
  /// The windows of each distinct schedule, whatever its name. Schedule indices in `unplaced` conditions
  /// refer to this array.
  let distinct: [[CheckedSchedule.Window]]

  convenience init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.init(
      schedules: Dictionary(
        policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first }),
      defaults: policies.flatMap(\.defaults), vocabulary: vocabulary)
  }

  /// Creates a context from schedules by policy name; the names are those that claims use.
  init(schedules: [String: [CheckedSchedule]], defaults: [CheckedDefaults], vocabulary: Vocabulary) {
    maxAges = Dictionary(
      defaults.compactMap { item in item.maxAge.map { (item.device, $0) } }, uniquingKeysWith: min)
    let pulses = vocabulary.computed.compactMap { fact -> (pulse: Leaf, state: Leaf, value: Double)? in
      guard case .zone(_, let question) = fact.source, question == .enter || question == .exit else {
        return nil
      }
      let rest = fact.schema.path.dropFirst(question.rawValue.count)
      return (.fact(fact.schema.path), .fact("inside" + rest), question == .enter ? 1 : 0)
    }
    self.pulses = pulses
    let ofClients = vocabulary.computed.compactMap { fact -> (path: String, fact: ClientFact)? in
      if case .client(let question) = fact.source { (fact.schema.path, question) } else { nil }
    }
    let names = ofClients.filter { if case .isNamed = $0.fact { true } else { false } }.map(\.path)
    let crossings = pulses.filter { $0.value == 1 }.compactMap { entry in
      pulses.first { $0.value == 0 && $0.state == entry.state }.map { (entry.pulse, $0.pulse) }
    }
    exclusive =
      crossings
      + names.indices.flatMap { place in names[..<place].map { (Leaf.fact($0), Leaf.fact(names[place])) } }
    self.vocabulary = vocabulary
    var distinct: [[CheckedSchedule.Window]] = []
    for (_, list) in schedules.sorted(by: { $0.key < $1.key }) {
      for schedule in list where !distinct.contains(schedule.windows) { distinct.append(schedule.windows) }
    }
    self.distinct = distinct
    self.schedules = schedules.merging([
      Self.all: distinct.map { CheckedSchedule(name: "", windows: $0) }
    ]) { first, _ in first }
    let devices = vocabulary.manifests.filter { $0.kind != .source }
    equivalentFacts = devices.map { manifest in
      let path = manifest.device.path
      return EquivalentFacts(
        on: .fact(path + ".on"), state: .fact(path + ".state"), isOn: manifest.states.map(\.isOn))
    }
    neverUnknown = Set(
      devices.flatMap { device in [".on", ".state", ".available"].map { device.device.path + $0 } }
    )
    .union(ofClients.filter { $0.fact.isAlwaysKnown }.map(\.path))
  }

  /// Returns the condition of a policy in a form that can be compared with conditions of other policies.
  func unplaced(_ condition: CheckedExpression, of policy: String) -> CheckedExpression {
    if policy == Self.all { return condition }
    return condition.unplaced { index in
      guard let list = schedules[policy], list.indices.contains(index) else { return -1 - index }
      return distinct.firstIndex(of: list[index].windows) ?? -1 - index
    }
  }

  /// Returns the age at which the fact becomes unknown; nil for a fact without a maximum age.
  func maxAge(_ path: String) -> TimeSpan? {
    guard let schema = vocabulary.schema(path), let maxAge = schema.maxAge else { return nil }
    return schema.device.flatMap { maxAges[$0] } ?? maxAge
  }
}
