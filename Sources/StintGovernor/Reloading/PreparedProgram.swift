import StintMachine
import StintModel
public import StintUnits

/// A program, and everything about its taking the place of another that follows from the two alone.
///
/// Made while the other still runs, so that only state has to be exchanged when no step can run. The governor that
/// made it may take steps meanwhile; where it has been given other policies, it prepares again what it must.
public struct PreparedProgram: Sendable {
  /// What a governor has in force, as far as a preparation depends on it.
  struct Baseline: Hashable, Sendable {
    var image: Image?
    var clientImage: Image?
    var vocabulary: Vocabulary
  }

  public let program: Program
  let baseline: Baseline
  /// The vocabulary with what the program computes.
  let vocabulary: Vocabulary
  let names: RenameMap
  /// What of the former images is the same now; nil where there was none.
  let match: ImageMatch?
  let clientMatch: ImageMatch?
  let perDemandRules: PerDemandRules?
  /// By computed fact: the constants that conditions compare it with, and for machines what leads out of states.
  let limits: [[Double]]
  let moves: [[(rule: Int, target: Int)]]
  /// What steps look up in the image.
  let index: DirectiveIndex
  /// The rules that read what devices must work for.
  let sensed: SensorRules
  /// Which names of rules there were before.
  let ruleNames: NameMatch
  let overrides: [(winner: Int, loser: Int)]
  /// Directives that raise demands.
  let starts: [Int]

  /// - Precondition: the program fits the devices.
  init(_ program: Program, after baseline: Baseline) {
    self.program = program
    self.baseline = baseline
    let image = program.image.image
    vocabulary = baseline.vocabulary.computing(program.computed)
    let names = RenameMap(from: baseline.vocabulary, to: vocabulary)
    self.names = names
    match = baseline.image.map { ImageMatch(from: $0, to: image, renamed: names.renamed) }
    let clientImage = program.clientImage?.image ?? Image()
    clientMatch = baseline.clientImage.map {
      ImageMatch(from: $0, to: clientImage, renamed: names.renamed)
    }
    perDemandRules = PerDemandRules(program, vocabulary)
    let index = DirectiveIndex(program, vocabulary)
    self.index = index
    sensed = SensorRules(program, vocabulary, index)
    ruleNames = NameMatch(from: baseline.image.map { DirectiveIndex.names(of: $0) } ?? [], to: index.names)
    starts = image.directives.indices.filter { index.isStart[$0] }
    overrides = image.overrides.map { (winner: $0.winner, loser: $0.loser) }
    var rules: [RuleID: [Int]] = [:]
    for (number, rule) in image.rules.enumerated() { rules[rule.id, default: []].append(number) }
    let first = vocabulary.firstComputed
    limits = vocabulary.computed.enumerated().map { place, fact in
      fact.hasLimits ? image.limits(of: first + place) + clientImage.limits(of: first + place) : []
    }
    moves = vocabulary.computed.map { fact in
      guard case .machine = fact.source else { return [] }
      return program.moves.filter { $0.machine == fact.schema.path }.compactMap { move in
        rules[move.rule]?.first.map { (rule: $0, target: move.target) }
      }
    }
  }
}

/// Where the names of rules were before among the names of other policies; both lists are sorted.
struct NameMatch: Sendable {
  /// By rank: the rank before; -1 for a new name.
  private(set) var before: [Int] = []
  /// The ranks of names that are gone.
  private(set) var dropped: [Int] = []

  init(from baseline: [RuleID], to names: [RuleID]) {
    var rank = 0
    for name in names {
      while rank < baseline.count, baseline[rank] < name {
        dropped.append(rank)
        rank += 1
      }
      let isSame = rank < baseline.count && baseline[rank] == name
      before.append(isSame ? rank : -1)
      if isSame { rank += 1 }
    }
    dropped += rank..<baseline.count
  }
}

extension Governor {
  /// Works out beforehand what putting a program in force takes; the governor is as it was.
  public func prepare(_ program: Program) throws(Problem) -> PreparedProgram {
    try program.check(against: vocabulary)
    return PreparedProgram(program, after: baseline)
  }

  /// The same preparation, or another one where it is for something else than what is in force.
  func renewed(_ prepared: PreparedProgram) throws(Problem) -> PreparedProgram {
    prepared.baseline == baseline ? prepared : try prepare(prepared.program)
  }

  private var baseline: PreparedProgram.Baseline {
    PreparedProgram.Baseline(
      image: rules.machine?.image, clientImage: rules.program?.clientImage?.image,
      vocabulary: vocabulary)
  }
}

extension ComputedFact {
  /// Whether it is worked out when it will next reach a constant that conditions compare it with.
  fileprivate var hasLimits: Bool {
    switch source {
    case .budget, .energy, .respite: true
    default: false
    }
  }
}
