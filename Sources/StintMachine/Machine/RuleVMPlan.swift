import StintUnits

/// The immutable tables that a VM needs to run an image. All VMs of the image share them.
///
/// Building the plan is most of the work of creating a VM. A reload can build the plan before it exchanges
/// the VMs.
public struct RuleVMPlan: Sendable {
  /// The verified image.
  public let image: Image
  /// For each index in the vocabulary: the index of the fact in the image, or -1.
  let places: ContiguousArray<Int32>
  /// The maximum age of each fact. Nil when the fact has no maximum age, or when no rule reads the fact's
  /// value.
  let maxAges: ContiguousArray<TimeSpan?>
  let index: ThresholdIndex
  /// For each fact: true when rules use only its rank.
  let isPlain: ContiguousArray<Bool>
  /// The rules and windows that a fact affects. `readers` are evaluated when the value changes, `refreshed`
  /// at each publication, even of an equal value.
  let readers: Adjacency
  let refreshed: Adjacency
  let windows: Adjacency
  let demandReaders: Adjacency
  let ruleTerms: ContiguousArray<RuleTerms>
  let directiveTerms: ContiguousArray<DirectiveTerms>
  /// The rules that are neither indexed nor inert.
  let unindexedRules: ContiguousArray<Int32>
  let timers: TimerPlan

  /// Builds the tables for an image.
  public init(_ program: VerifiedImage) {
    let image = program.image
    self.image = image
    var places = ContiguousArray<Int32>(repeating: -1, count: (image.facts.map(\.number).max() ?? -1) + 1)
    for (place, fact) in image.facts.enumerated() { places[fact.number] = Int32(place) }
    self.places = places
    let dependencies = Dependencies(image)
    let maxAges = ContiguousArray(zip(image.facts, dependencies.isRead).map { $1 ? $0.maxAge : nil })
    let terms = ContiguousArray(image.rules.map { RuleTerms($0, in: image) })
    let index = IndexBuilder.index(
      of: image, watches: dependencies.watches.filter { !terms[$0.rule].isInert })
    let evaluatedByCode = { (rules: [Int]) in rules.filter { !index.isIndexed[$0] && !terms[$0].isInert } }
    let readers = Adjacency(dependencies.readers.map(evaluatedByCode))
    let refreshed = Adjacency(dependencies.refreshed.map(evaluatedByCode))
    isPlain = ContiguousArray(
      image.facts.indices.map { fact in
        index.trackOfSource[fact] >= 0 && maxAges[fact] == nil && dependencies.windows[fact].isEmpty
          && readers.range(of: fact).isEmpty && refreshed.range(of: fact).isEmpty
      })
    self.maxAges = maxAges
    self.readers = readers
    self.refreshed = refreshed
    windows = Adjacency(dependencies.windows)
    demandReaders = Adjacency(dependencies.demandReaders.map(evaluatedByCode))
    ruleTerms = terms
    directiveTerms = ContiguousArray(image.directives.map { DirectiveTerms($0) })
    unindexedRules = ContiguousArray(evaluatedByCode(Array(terms.indices)).map { Int32($0) })
    timers = TimerPlan(image, isWithinTimerLimits: dependencies.timed, terms: terms)
    self.index = index
  }
}
