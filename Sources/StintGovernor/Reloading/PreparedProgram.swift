import StintMachine
import StintModel
public import StintUnits

/// A program with all data for its activation that can be computed before the reload.
///
/// The program is prepared while the former policies run, so that the reload itself only migrates state. The
/// governor may run steps in between. A governor that has loaded other policies in the meantime prepares the
/// program again.
public struct PreparedProgram: Sendable {
  /// The part of a governor's state on which a preparation depends.
  struct Baseline: Hashable, Sendable {
    var image: Image?
    var perDemandImage: Image?
    var vocabulary: Vocabulary
  }

  /// The program that was prepared.
  public let program: Program
  let baseline: Baseline
  /// The vocabulary, including the facts that the program computes.
  let vocabulary: Vocabulary
  let names: RenameMap
  /// The correspondence with the former images; nil without a former image.
  let match: ImageMatch?
  let perDemandMatch: ImageMatch?
  let perDemandRules: PerDemandRules?
  /// For each computed fact, `limits` contains the constants with which conditions compare the fact. The list
  /// of a fact is empty when the instant at which the fact reaches these constants cannot be predicted. For
  /// each fact that is the state of a state machine, `moves` contains the transitions of the machine.
  let limits: [[Double]]
  let moves: [[(rule: Int, target: Int)]]
  /// The lookup tables of the image for steps.
  let index: DirectiveIndex
  /// The rules that read facts of sensors.
  let sensed: SensorRules
  /// The correspondence between the former and the new rule names.
  let ruleNames: NameMatch
  /// Pairs of rule indexes. While the winner is active, the loser has no effect on the devices that occur in
  /// both rules.
  let overrides: [(winner: Int, loser: Int)]
  /// The indexes of the directives that raise demands.
  let starts: [Int]

  /// Prepares a program that will replace the policies of `baseline`.
  ///
  /// - Precondition: the program fits the devices.
  init(_ program: Program, after baseline: Baseline) {
    self.program = program
    self.baseline = baseline
    let image = program.image.image
    vocabulary = baseline.vocabulary.computing(program.computed)
    let names = RenameMap(from: baseline.vocabulary, to: vocabulary)
    self.names = names
    match = baseline.image.map { ImageMatch(from: $0, to: image, renamed: names.renamed) }
    let perDemandImage = program.perDemandImage?.image ?? Image()
    perDemandMatch = baseline.perDemandImage.map {
      ImageMatch(from: $0, to: perDemandImage, renamed: names.renamed)
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
      fact.hasLimits ? image.limits(of: first + place) + perDemandImage.limits(of: first + place) : []
    }
    moves = vocabulary.computed.map { fact in
      guard case .machine = fact.source else { return [] }
      return program.moves.filter { $0.machine == fact.schema.path }.compactMap { move in
        rules[move.rule]?.first.map { (rule: $0, target: move.target) }
      }
    }
  }
}

/// The correspondence between two sorted lists of rule names. The rank of a name is its index in its list.
struct NameMatch: Sendable {
  /// For each new rank: the former rank, or -1 for a new name.
  private(set) var before: [Int] = []
  /// The former ranks of names that no longer exist.
  private(set) var dropped: [Int] = []

  init(from oldNames: [RuleID], to names: [RuleID]) {
    var rank = 0
    for name in names {
      while rank < oldNames.count, oldNames[rank] < name {
        dropped.append(rank)
        rank += 1
      }
      let isSame = rank < oldNames.count && oldNames[rank] == name
      before.append(isSame ? rank : -1)
      if isSame { rank += 1 }
    }
    dropped += rank..<oldNames.count
  }
}

extension Governor {
  /// Prepares a program for activation. The governor does not change.
  ///
  /// - Throws: `Problem` when the program does not fit the devices.
  public func prepare(_ program: Program) throws(Problem) -> PreparedProgram {
    try program.check(against: vocabulary)
    return PreparedProgram(program, after: baseline)
  }

  /// Returns the prepared program. Prepares it again when the governor has loaded other policies in the
  /// meantime.
  func renewed(_ prepared: PreparedProgram) throws(Problem) -> PreparedProgram {
    prepared.baseline == baseline ? prepared : try prepare(prepared.program)
  }

  private var baseline: PreparedProgram.Baseline {
    PreparedProgram.Baseline(
      image: rules.machine?.image, perDemandImage: rules.program?.perDemandImage?.image,
      vocabulary: vocabulary)
  }
}

extension ComputedFact {
  /// True when the instant at which the fact reaches a constant of a condition can be predicted.
  fileprivate var hasLimits: Bool {
    switch source {
    case .budget, .energy, .respite: true
    default: false
    }
  }
}
