import StintMachine
import StintModel

/// The per-demand rules, and their indexes among all rules.
struct PerDemandRules: Sendable {
  let image: VerifiedImage
  let plan: RuleVMPlan
  /// By rule and by directive of their own image: the number in the image of all.
  let rules: [Int]
  let directives: [Int]
  /// By rule and by directive of the image of all: the number in their own image; -1 for what is asked once for all.
  let rulePlaces: [Int]
  let directivePlaces: [Int]
  /// What of the client they read, by number in the vocabulary.
  let facts: [(number: Int, fact: ClientFact)]
  /// The devices that they reach.
  let targets: Set<DeviceID>
  /// By rule of the image of all: for how many demands it holds.
  var holding: [Int]

  /// Returns nil when no rule reads facts of a client.
  init?(_ program: Program, _ vocabulary: Vocabulary) {
    guard let own = program.clientImage, let plan = program.clientPlan else { return nil }
    let all = program.image.image
    image = own
    self.plan = plan
    (rules, rulePlaces) = Self.places(
      all.rules.indices.filter { all.rules[$0].isPerDemand }, of: all.rules.count)
    let listed = rules.flatMap { Array(all.rules[$0].directives) }
    (directives, directivePlaces) = Self.places(listed, of: all.directives.count)
    precondition(
      rules.count == own.image.rules.count && directives.count == own.image.directives.count,
      "the image for demands was compiled from other policies than the image of all")
    facts = own.image.facts.compactMap { entry in
      guard entry.number >= vocabulary.firstComputed,
        case .client(let fact) = vocabulary.computed[entry.number - vocabulary.firstComputed].source
      else { return nil }
      return (entry.number, fact)
    }
    targets = Set(own.image.directives.flatMap(\.directive.targets))
    holding = Array(repeating: 0, count: all.rules.count)
  }

  private static func places(_ numbers: [Int], of count: Int) -> (numbers: [Int], places: [Int]) {
    var places = Array(repeating: -1, count: count)
    for (place, number) in numbers.enumerated() { places[number] = place }
    return (numbers, places)
  }
}
