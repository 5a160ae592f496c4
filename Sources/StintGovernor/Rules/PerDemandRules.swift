import StintMachine
import StintModel

/// The rules that are evaluated once per demand, and their indexes in the main image.
struct PerDemandRules: Sendable {
  let image: VerifiedImage
  let plan: RuleVMPlan
  /// For each rule and each directive of the per-demand image: its index in the main image.
  let rules: [Int]
  let directives: [Int]
  /// For each rule and each directive of the main image: its index in the per-demand image. The value is -1
  /// for shared rules and their directives.
  let rulePlaces: [Int]
  let directivePlaces: [Int]
  /// The client facts that the rules read, with their indexes in the vocabulary.
  let facts: [(number: Int, fact: ClientFact)]
  /// The target devices of the directives of the rules.
  let targets: Set<DeviceID>
  /// For each rule of the main image: the number of demands for which it is active.
  var holding: [Int]

  /// Creates the tables; nil when no rule reads facts of clients.
  init?(_ program: Program, _ vocabulary: Vocabulary) {
    guard let own = program.perDemandImage, let plan = program.perDemandPlan else { return nil }
    let all = program.image.image
    image = own
    self.plan = plan
    (rules, rulePlaces) = Self.places(
      all.rules.indices.filter { all.rules[$0].isPerDemand }, of: all.rules.count)
    let listed = rules.flatMap { Array(all.rules[$0].directives) }
    (directives, directivePlaces) = Self.places(listed, of: all.directives.count)
    precondition(
      rules.count == own.image.rules.count && directives.count == own.image.directives.count,
      "the image for demands and the main image were compiled from different policies")
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
