import StintMachine
import StintModel
import StintUnits

/// The source scheduler reads sources when their facts can change a decision, and at no other time.
///
/// Readings fall on whole multiples of a source's pace, so that sources are read together. Before anything could make a
/// resting fact count, its source is read first and the inputs of the step wait for it: so decisions are those that would
/// be made if the source were read all the time.
struct SourceScheduler: Sendable {
  /// How long inputs wait for a source that does not answer.
  static let patience = TimeSpan.milliseconds(100)

  /// The sources that are read on request; empty where none is.
  private var sources: [SourceReader]
  /// What rules need of facts, made from the image in force.
  private(set) var needs: SensingNeeds?
  private var outlook = FactForecast()
  /// Whether needs may have changed since readings were planned.
  private(set) var mustPlan = false
  private var readingTimer = Instant.distantFuture
  /// Inputs that wait for sources, and until when they do.
  private var waiting: [Input] = []
  /// Whether the next plan is the first for other rules, which need some facts at once.
  private var mustRead = false
  private var answerBy = Instant.distantFuture

  init(_ vocabulary: Vocabulary) {
    sources = vocabulary.manifests.indices.compactMap { SourceReader(device: $0, vocabulary) }
  }

  /// Whether no source is read on request.
  var isEmpty: Bool { sources.isEmpty }

  /// When the governor must act next, given when the rest of it must: while sources are awaited, nothing else happens.
  func nextTimer(beside other: Instant) -> Instant {
    if sources.isEmpty { return other }
    return answerBy < .distantFuture ? answerBy : min(other, readingTimer)
  }

  /// When the source of a fact is read next although nothing else happens; nil for never, and for facts not read.
  func nextReading(of fact: Int) -> Instant? {
    sources.first { $0.facts.contains { $0.fact == fact } }.flatMap {
      $0.due == .distantFuture ? nil : $0.due
    }
  }

  // MARK: A step

  /// Hands out the inputs that the governor applies now.
  ///
  /// - Parameter isTimer: whether a timer of the governor has expired, so that a resting fact may come to count.
  /// - Returns: nil while the inputs wait for sources that were read.
  mutating func admit(
    _ inputs: some Collection<Input>, isTimer: Bool, at now: Instant, _ effects: inout [Effect]
  ) -> [Input]? {
    let waited = answerBy < .distantFuture
    waiting.append(contentsOf: inputs)
    if waited {
      for input in inputs { noteAnswer(input) }
      guard now >= answerBy || !sources.contains(where: \.isAwaited) else { return nil }
      for index in sources.indices { sources[index].isAwaited = false }
    }
    // A fact of one source may make a fact of another count.
    let opens = isTimer || waiting.contains { mayOpen($0) }
    if opens || waited { mustPlan = true }
    for index in sources.indices where sources[index].isStale(at: now) {
      if sources[index].due <= now || opens && sources[index].hasMaskedReads {
        read(index, at: now, &effects)
      }
    }
    if sources.contains(where: \.isAwaited) {
      answerBy = now + Self.patience
      return nil
    }
    answerBy = .distantFuture
    var all: [Input] = []
    swap(&all, &waiting)
    return all
  }

  private mutating func read(_ index: Int, at now: Instant, _ effects: inout [Effect]) {
    effects.append(.read(device: sources[index].device))
    sources[index].read = now
    sources[index].isAwaited = true
  }

  private mutating func noteAnswer(_ input: Input) {
    guard case .fact(let fact, _) = input else { return }
    for index in sources.indices where sources[index].isAwaited {
      if sources[index].facts.contains(where: { $0.fact == fact }) {
        sources[index].isAwaited = false
      }
    }
  }

  /// Whether the input could make a fact count that does not count now.
  private func mayOpen(_ input: Input) -> Bool {
    switch input {
    case .fact(let fact, let value): outlook.mayChange(fact, to: value)
    case .outcome, .available, .signal, .localTime: true
    case .hasConsumer, .raise, .release, .delivered, .carried, .wakeRequested: false
    }
  }

  // MARK: Planning

  /// Plans readings by what rules need now.
  ///
  /// After a reload, sources whose facts are needed at once are read, and nothing waits for them.
  mutating func plan(
    _ outlook: FactForecast, _ facts: FactTable, at now: Instant, _ effects: inout [Effect]
  ) {
    mustPlan = false
    self.outlook = outlook
    readingTimer = .distantFuture
    for index in sources.indices {
      planReading(index, facts, at: now)
      if mustRead, sources[index].due <= now, sources[index].isStale(at: now) {
        read(index, at: now, &effects)
        sources[index].isAwaited = false
        planReading(index, facts, at: now)
      }
      readingTimer = min(readingTimer, sources[index].due)
    }
    mustRead = false
  }

  private mutating func planReading(_ index: Int, _ facts: FactTable, at now: Instant) {
    var due = Instant.distantFuture
    let source = sources[index]
    for (fact, reading) in source.facts {
      guard let need = outlook.needs[fact] else { continue }
      let maxAge = outlook.maxAges[fact]
      due = min(
        due,
        source.moment(
          need, reading.steepest, facts.value(fact, at: now, maxAge: maxAge),
          since: facts.instant(fact),
          maxAge: maxAge, at: now))
    }
    sources[index].due = due
    sources[index].hasMaskedReads = source.facts.contains { outlook.resting.contains($0.fact) }
  }

  /// Goes over to other rules; the next plan is for them.
  mutating func migrate(to image: VerifiedImage, firstComputed: Int) {
    guard !sources.isEmpty else { return }
    needs = SensingNeeds(image: image, firstComputed: firstComputed)
    mustPlan = true
    mustRead = true
  }
}

/// The fact outlook is what rules need of published facts while nothing else changes.
struct FactForecast: Sendable {
  /// By published fact: what can change a decision; nil for a fact that no rule reads.
  var needs: [FactNeed?] = []
  /// By published fact: how long a value counts.
  var maxAges: [TimeSpan?] = []
  /// Facts that rules read without needing them now.
  var resting: Set<Int> = []

  init() {}

  /// Starts with facts that no rule reads.
  init(count: Int) {
    needs = Array(repeating: nil, count: count)
    maxAges = Array(repeating: nil, count: count)
  }

  /// Whether a new value of a fact could change a decision.
  func mayChange(_ fact: Int, to value: FactValue) -> Bool {
    guard fact >= 0, fact < needs.count, let need = needs[fact] else { return false }
    switch (need, value) {
    case (.nothing, _): return false
    case (.outside(let quiet), .number(let number)): return !quiet.contains(number)
    case (.outside(let quiet), .boolean(let truth)): return !quiet.contains(truth ? 1 : 0)
    case (.outside(let quiet), .symbol(let word)): return !quiet.contains(Double(word))
    default: return true
    }
  }
}
