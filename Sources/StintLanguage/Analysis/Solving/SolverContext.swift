import StintModel
import StintUnits

/// What all questions about some policies share.
final class SolverContext: Sendable {
  /// The policy of conditions that are `unplaced` already.
  static let all = ""

  /// Facts of one device that say the same in two ways.
  struct EquivalentFacts {
    var on: Leaf
    var state: Leaf
    /// By state: whether it draws more than floor power.
    var isOn: [Bool]
  }

  let vocabulary: Vocabulary
  let schedules: [String: [CheckedSchedule]]
  let equivalentFacts: [EquivalentFacts]
  /// Truths of one moment that say what another fact is then: who comes in is inside.
  let pulses: [(pulse: Leaf, state: Leaf, value: Double)]
  /// Truths of which at most one is so: a client has one name.
  let exclusive: [(Leaf, Leaf)]
  /// Facts that the governor keeps, which are never unknown.
  let kept: Set<String>

  /// By device: how old its facts may grow where policies say so.
  private let maxAges: [DeviceID: TimeSpan]
  /// Every schedule once, whatever it is called; numbers of what is `unplaced` are places here.
  let distinct: [[CheckedSchedule.Window]]

  convenience init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.init(
      schedules: Dictionary(
        policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first }),
      defaults: policies.flatMap(\.defaults), vocabulary: vocabulary)
  }

  /// Takes the schedules by the names that claims give their policies.
  init(schedules: [String: [CheckedSchedule]], defaults: [CheckedDefaults], vocabulary: Vocabulary) {
    maxAges = Dictionary(
      defaults.compactMap { item in item.maxAge.map { (item.device, $0) } }, uniquingKeysWith: min)
    pulses = vocabulary.computed.compactMap { fact in
      guard case .zone(_, let question) = fact.source, question == .enter || question == .exit else {
        return nil
      }
      let rest = fact.schema.path.dropFirst(question.rawValue.count)
      return (.fact(fact.schema.path), .fact("inside" + rest), question == .enter ? 1 : 0)
    }
    let ofClients = vocabulary.computed.compactMap { fact -> (path: String, fact: ClientFact)? in
      if case .client(let question) = fact.source { (fact.schema.path, question) } else { nil }
    }
    let names = ofClients.filter { if case .isNamed = $0.fact { true } else { false } }.map(\.path)
    exclusive = names.indices.flatMap { place in
      names[..<place].map { (Leaf.fact($0), Leaf.fact(names[place])) }
    }
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
    kept = Set(devices.flatMap { device in [".on", ".state", ".available"].map { device.device.path + $0 } })
      .union(ofClients.filter { $0.fact.isAlwaysKnown }.map(\.path))
  }

  /// The condition of a policy as it can be compared with those of others.
  func unplaced(_ condition: CheckedExpression, of policy: String) -> CheckedExpression {
    if policy == Self.all { return condition }
    return condition.unplaced { index in
      guard let list = schedules[policy], list.indices.contains(index) else { return -1 - index }
      return distinct.firstIndex(of: list[index].windows) ?? -1 - index
    }
  }

  /// How old the fact may grow before it is unknown; nil for ever.
  func maxAge(_ path: String) -> TimeSpan? {
    guard let schema = vocabulary.schema(path), let maxAge = schema.maxAge else { return nil }
    return schema.device.flatMap { maxAges[$0] } ?? maxAge
  }
}
