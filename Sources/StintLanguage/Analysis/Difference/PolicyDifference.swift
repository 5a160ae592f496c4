public import StintModel
import StintUnits

/// The differences between the decisions of two sets of policies.
public struct PolicyDifference: Hashable, Sendable {
  /// A region of the fact space in which the two sets decide differently about one device.
  ///
  /// A region is about one aspect: demand, power, accuracy, rate, attributes, hold, delay, act, state change
  /// or service.
  public struct Region: Hashable, Sendable {
    /// The device; nil for state changes, and for acts that concern no device.
    public var device: DeviceID?
    /// The decision of the old policies.
    public var before: DeviceDecision
    /// The decision of the new policies.
    public var after: DeviceDecision
    /// The conditions of the region, one for each fact that matters. Empty when the decisions differ for all
    /// values of facts.
    public var conditions: [String]
    /// Example values of facts for which the decisions differ as in this region, with earlier values where
    /// the past matters. Nil when the search finds no such values.
    public var witness: Witness?
  }

  /// A difference that does not depend on facts.
  public struct Definition: Hashable, Sendable {
    /// The path of a device whose defaults change, or of a computed fact.
    public var name: String
    /// The old definition, or the old settings that differ from the new ones, as text for people.
    public var before: String
    /// The new definition, or the new settings that differ from the old ones, as text for people.
    public var after: String
  }

  /// The regions, ordered by device, then by aspect, then by the ranges of their facts.
  public var regions: [Region] = []
  /// The differences that do not depend on facts: first defaults of devices, then computed facts, each sorted
  /// by name.
  public var definitions: [Definition] = []
  /// False when the search stopped at its limit; then there may be more regions.
  public var isComplete = true

  /// True when no difference was found.
  public var isEmpty: Bool { regions.isEmpty && definitions.isEmpty }

  /// Compares two sets of policies; the policies of each set are loaded together.
  ///
  /// - Precondition: the checker found no error in the policies.
  public init(from old: [CheckedPolicy], to new: [CheckedPolicy], vocabulary: Vocabulary) {
    let vocabulary = vocabulary.computing(old.flatMap(\.computed) + new.flatMap(\.computed))
    let (oldMark, newMark) = ("before:", "after:")
    let schedules = DifferenceSide.schedules(old, mark: oldMark)
      .merging(DifferenceSide.schedules(new, mark: newMark)) { first, _ in first }
    let solverContext = SolverContext(
      schedules: schedules, defaults: (old + new).flatMap(\.defaults), vocabulary: vocabulary)
    let before = DifferenceSide(old, mark: oldMark, solverContext: solverContext)
    let after = DifferenceSide(new, mark: newMark, solverContext: solverContext)
    let solver = Solver(solverContext)
    let names = RegionText.names(old + new, solverContext: solverContext)
    for device in vocabulary.manifests.map(\.device).map(Optional.some) + [nil] {
      let (old, new) = (before.items(on: device), after.items(on: device))
      for aspect in DeviceEffect.Aspect.allCases {
        var search = DivergenceSearch(
          old.filter { $0.key.effect.aspect == aspect }, new.filter { $0.key.effect.aspect == aspect },
          solverContext: solverContext)
        for box in search.boxes() {
          let text = RegionText(space: search.space, schedules: names)
          regions.append(
            Region(
              device: device, before: box.extent.before, after: box.extent.after,
              conditions: text.conditions(box.extent.cells),
              witness: search.witness(box, solver: solver)))
        }
        if !search.isComplete { isComplete = false }
      }
    }
    definitions = Self.definitions(old, new, vocabulary)
  }

  private static func definitions(
    _ old: [CheckedPolicy], _ new: [CheckedPolicy], _ vocabulary: Vocabulary
  ) -> [Definition] {
    let (before, after) = (defaults(old, vocabulary), defaults(new, vocabulary))
    var found: [Definition] = []
    for device in Set(before.keys).union(after.keys).sorted() where before[device] != after[device] {
      found.append(
        Definition(
          name: device.path, before: text(before[device], but: after[device]),
          after: text(after[device], but: before[device])))
    }
    let (computed, others) = (computed(old), computed(new))
    for path in Set(computed.keys).intersection(others.keys).sorted() where computed[path] != others[path] {
      found.append(
        Definition(name: path, before: computed[path]?.text ?? "", after: others[path]?.text ?? ""))
    }
    return found
  }

  /// Returns the default settings of each device, as policies write them.
  private static func defaults(
    _ policies: [CheckedPolicy], _ vocabulary: Vocabulary
  ) -> [DeviceID: [String]] {
    let all = policies.flatMap(\.defaults)
    var ages: [DeviceID: TimeSpan] = [:]
    for item in all {
      if let age = item.maxAge { ages[item.device] = min(age, ages[item.device] ?? age) }
    }
    let texts = DeviceDefaults.joined(all.map(\.inForce), vocabulary: vocabulary).map { item in
      (item.device, item.words + (ages[item.device].map { ["max_age \($0)"] } ?? []))
    }
    return Dictionary(texts, uniquingKeysWith: { first, _ in first })
  }

  private static func computed(_ policies: [CheckedPolicy]) -> [String: ComputedFact] {
    Dictionary(
      policies.flatMap(\.computed).map { ($0.schema.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the settings that `others` does not contain. Returns `as in the manifest` when there are no such
  /// settings.
  private static func text(_ settings: [String]?, but others: [String]?) -> String {
    let differing = (settings ?? []).filter { !(others ?? []).contains($0) }
    return differing.isEmpty ? "as in the manifest" : differing.joined(separator: "  ")
  }
}
