import StintLanguage
import StintModel
import StintTestSupport
import Testing

@Suite("Random state machines that keep a sensor off forever") struct RandomStateTrapTests {
  private func deadEnds(_ planted: RandomStateTrap) throws -> [DeadEnd] {
    let checked = Checker.check([PlantedDeadEnd.source(planted.text)], vocabulary: RandomStateTrap.vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title)) \(planted)")
    let computed = checked.policies.flatMap(\.computed)
    return DeadEndAnalysis.deadEnds(
      checked.policies, vocabulary: RandomStateTrap.vocabulary.computing(computed))
  }

  @Test(
    "each random policy that keeps a sensor off forever gives one finding",
    arguments: RandomStateTrap.Shape.allCases)
  func found(_ shape: RandomStateTrap.Shape) throws {
    for seed in Trials(300, fewest: 7).seeds {
      let planted = RandomStateTrap(shape, isTrap: true, seed: seed)
      let found = try deadEnds(planted)
      #expect(found.count == 1, "seed \(seed), \(planted)\n\(found.map(\.diagnostic.title))")
    }
  }

  @Test(
    "each random policy that can switch its sensors on again gives no finding",
    arguments: RandomStateTrap.Shape.allCases)
  func accepted(_ shape: RandomStateTrap.Shape) throws {
    for seed in Trials(300, fewest: 7).seeds {
      let planted = RandomStateTrap(shape, isTrap: false, seed: seed)
      let found = try deadEnds(planted)
      #expect(found.isEmpty, "seed \(seed), \(planted)\n\(found.map(\.diagnostic.title))")
    }
  }
}
