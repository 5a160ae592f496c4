import StintMachine
import StintModel
import StintUnits

extension Program {
  /// Throws when the program does not fit the devices and facts, or when its images come from different
  /// policies.
  func check(against vocabulary: Vocabulary) throws(Problem) {
    let all = vocabulary.computing(computed)
    for image in [image.image, perDemandImage?.image].compactMap(\.self) {
      guard image.facts.allSatisfy({ all.facts.indices.contains($0.number) }) else {
        throw Problem(
          .unexpectedContent, cause: "the policies read facts that no device or app here publishes",
          remedy: "compile them for the devices of this bus")
      }
    }
    for move in moves {
      guard let schema = all.schema(move.machine), case .symbol(let words) = schema.type,
        words.indices.contains(move.target)
      else {
        throw Problem(
          .unexpectedContent, cause: "a rule moves “\(move.machine)” to a state that does not exist",
          remedy: "compile the policies again")
      }
    }
    let perDemand = image.image.rules.filter(\.isPerDemand)
    let directives = perDemand.reduce(0) { $0 + $1.directives.count }
    guard perDemand.map(\.id) == (perDemandImage?.image.rules ?? []).map(\.id),
      directives == perDemandImage?.image.directives.count ?? 0
    else {
      throw Problem(
        .incompatible, cause: "the per-demand rules and the other rules come from different policies",
        remedy: "compile all policies together")
    }
  }
}
