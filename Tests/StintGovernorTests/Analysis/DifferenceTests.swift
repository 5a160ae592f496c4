import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite struct DifferenceTests {
  private let vocabulary = TrialDevices.vocabulary

  private struct Side {
    var policies: [CheckedPolicy]
    var image: VerifiedImage
  }

  private func check(_ body: String) throws -> Side {
    let checked = Checker.check([RandomConflict.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title)) in \(body)")
    let image = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: vocabulary))
    return Side(policies: checked.policies, image: image)
  }

  /// Returns the decision about the receiver, computed only from the rule VM.
  private func decision(_ side: Side, _ witness: Witness) -> String {
    let machine = WitnessStage(side.image, of: side.policies, vocabulary: vocabulary, witness).machine
    let image = machine.image
    var (starts, exceptions, isPaused): (Set<String>, Set<ClientID>?, Bool) = ([], nil, false)
    var (accuracy, period, hold) = (0.0, TimeSpan.zero, TimeSpan.zero)
    for (number, entry) in image.directives.enumerated() where machine.isInForce(directive: number) {
      let isOverridden = image.overrides.contains {
        $0.loser == entry.rule && machine.isActive(rule: $0.winner)
      }
      if case .start(let client, _) = entry.directive.action { starts.insert("\(client ?? "-")") }
      guard !isOverridden else { continue }
      switch entry.directive.action {
      case .start, .locate, .limitAttributes, .postpone, .serve, .stopService, .resume: continue
      case .stop:
        exceptions = (exceptions ?? Set(entry.directive.exceptions)).intersection(entry.directive.exceptions)
      case .pause: isPaused = true
      case .limitAccuracy(let metres): accuracy = max(accuracy, metres)
      case .slow(let span): period = max(period, span)
      case .batch(let bounds): if case .time(let span)? = bounds.first { hold = max(hold, span) }
      }
    }
    if exceptions == [] { isPaused = false }
    return
      "\(starts.sorted()) \(exceptions.map { $0.sorted() } as Any) \(isPaused) \(accuracy) \(period) \(hold)"
  }

  private static let levels: [FactValue] = [
    .number(0.1), .number(0.2), .number(0.3), .number(0.4), .number(0.5), .number(0.6), .number(0.8),
    .unknown,
  ]
  private static let screens: [FactValue] = [.boolean(true), .boolean(false), .unknown]

  private func compare(_ pair: RandomPair, on grid: [Witness], _ name: String) throws -> Bool {
    let (before, after) = (try check(pair.before), try check(pair.after))
    let difference = PolicyDifference(from: before.policies, to: after.policies, vocabulary: vocabulary)
    var example: Witness?
    for point in grid where decision(before, point) != decision(after, point) {
      example = point
      break
    }
    let shown = "\(name):\n\(pair.before)\nagainst\n\(pair.after)\n"
    #expect(difference.isComplete)
    #expect(
      difference.regions.isEmpty == (example == nil),
      "\(shown) \(difference.regions.map(\.conditions)) but \(example as Any)")
    for region in difference.regions {
      guard let witness = region.witness else { continue }
      #expect(decision(before, witness) != decision(after, witness), "\(shown) \(region)")
    }
    return example != nil
  }

  @Test(
    "F20: a difference of two policies is found exactly when decisions differ at a point of a grid of values")
  func states() throws {
    var grid: [Witness] = []
    for level in Self.levels {
      for screen in Self.screens {
        for app in [FactValue.symbol(0), .symbol(1), .unknown] {
          grid.append(
            Witness(readings: [
              Witness.Reading(path: "battery.level", value: level),
              Witness.Reading(path: "screen.on", value: screen),
              Witness.Reading(path: "app.state", value: app),
            ]))
        }
      }
    }
    var differing = 0
    let trials = Trials(1200, fewest: 24)
    for seed in trials.rounds {
      let pair = RandomPair(seed: UInt64(seed), looksBack: false)
      if try compare(pair, on: grid, "seed \(seed)") { differing += 1 }
    }
    #expect(differing > trials.share(of: 300) && differing < trials.share(of: 1000))
  }

  @Test(
    "F20: with temporal operators, a difference is found exactly when decisions differ for a tested history")
  func histories() throws {
    var grid: [Witness] = []
    let points = Self.levels.flatMap { level in
      Self.screens.map { screen in
        [
          Witness.Reading(path: "battery.level", value: level),
          Witness.Reading(path: "screen.on", value: screen),
        ]
      }
    }
    for now in points {
      for held in [TimeSpan.zero, .minutes(1), .minutes(2), .minutes(3)] {
        grid.append(Witness(readings: now, held: held))
        for earlier in points {
          grid.append(Witness(readings: now, held: held, earlier: earlier, isFresh: false))
        }
      }
    }
    var differing = 0
    let trials = Trials(300, fewest: 4)
    for seed in trials.rounds {
      let pair = RandomPair(seed: UInt64(1000 + seed), looksBack: true)
      if try compare(pair, on: grid, "seed \(seed)") { differing += 1 }
    }
    #expect(differing > trials.share(of: 80))
  }
}
