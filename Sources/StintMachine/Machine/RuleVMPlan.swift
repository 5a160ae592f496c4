import StintUnits

/// What running an image needs and no step changes: made once when the image is loaded, shared by all machines that
/// run it. Making it is most of the work of making a machine, and can be done before the exchange.
public struct RuleVMPlan: Sendable {
  public let image: Image
  /// By number in the vocabulary: the place among the image's facts, or -1.
  let places: ContiguousArray<Int32>
  /// The greatest age of each fact; nil without a limit, or when no rule reads its value.
  let maxAges: ContiguousArray<TimeSpan?>
  let index: ThresholdIndex
  /// By fact: whether nothing is asked of it but its rank.
  let isPlain: ContiguousArray<Bool>
  /// By fact: rules that are looked at whenever it changes, rules that must also be looked at when it is published
  /// unchanged, and windows.
  let readers: Adjacency
  let refreshed: Adjacency
  let windows: Adjacency
  let demandReaders: Adjacency
  let ruleTerms: ContiguousArray<RuleTerms>
  let directiveTerms: ContiguousArray<DirectiveTerms>
  /// Rules that the index does not answer for, and that may act.
  let unindexedRules: ContiguousArray<Int32>
  let timers: TimerPlan

  /// Works everything out.
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
    let asked = { (rules: [Int]) in rules.filter { !index.isIndexed[$0] && !terms[$0].isInert } }
    let readers = Adjacency(dependencies.readers.map(asked))
    let refreshed = Adjacency(dependencies.refreshed.map(asked))
    isPlain = ContiguousArray(
      image.facts.indices.map { fact in
        index.trackOfSource[fact] >= 0 && maxAges[fact] == nil && dependencies.windows[fact].isEmpty
          && readers.range(of: fact).isEmpty && refreshed.range(of: fact).isEmpty
      })
    self.maxAges = maxAges
    self.readers = readers
    self.refreshed = refreshed
    windows = Adjacency(dependencies.windows)
    demandReaders = Adjacency(dependencies.demandReaders.map(asked))
    ruleTerms = terms
    directiveTerms = ContiguousArray(image.directives.map { DirectiveTerms($0) })
    unindexedRules = ContiguousArray(asked(Array(terms.indices)).map { Int32($0) })
    timers = TimerPlan(image, isTimed: dependencies.timed, terms: terms)
    self.index = index
  }
}
