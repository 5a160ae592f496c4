import StintMachine
import StintModel
import StintUnits

/// Schedules readings of sources: a source is read only when its facts can change a decision.
///
/// A reading that can wait begins at a whole multiple of the source's period, so that several sources are
/// read together. A fact is masked while rules read it but other operands determine the results of these
/// rules. When an input can unmask the fact, the source of the fact is read first. The inputs of the step
/// wait until the source has published. So the decisions equal those with continuous reading.
struct SourceScheduler: Sendable {
  /// The longest time for which inputs wait after a reading until the sources have published.
  static let answerTimeout = TimeSpan.milliseconds(100)

  /// The sources that are read on request.
  private var sources: [SourceReader]
  /// The needs of the rules for facts, computed from the image in force.
  private(set) var needs: SensingNeeds?
  private var factNeeds = FactNeeds()
  /// True when needs may have changed since the last plan.
  private(set) var mustPlan = false
  private var readingTimer = Instant.distantFuture
  /// The inputs that wait for sources. `answerBy` below is the end of the wait.
  private var waiting: [Input] = []
  /// True until the first plan after a reload. That plan immediately reads the facts that the new rules need.
  private var mustRead = false
  private var answerBy = Instant.distantFuture

  init(_ vocabulary: Vocabulary) {
    sources = vocabulary.manifests.indices.compactMap { SourceReader(device: $0, vocabulary) }
  }

  /// True when no source is read on request.
  var isEmpty: Bool { sources.isEmpty }

  /// Returns the next timer of the governor, given the next timer of the governor's other parts. While the
  /// scheduler waits for sources, the other timers are ignored.
  func nextTimer(beside other: Instant) -> Instant {
    if sources.isEmpty { return other }
    return answerBy < .distantFuture ? answerBy : min(other, readingTimer)
  }

  /// Returns the instant of the next planned reading of a fact's source; an input can cause an earlier
  /// reading. Nil when no reading is planned, and for facts that are not read on request.
  func nextReading(of fact: Int) -> Instant? {
    sources.first { $0.facts.contains { $0.fact == fact } }.flatMap {
      $0.due == .distantFuture ? nil : $0.due
    }
  }

  // MARK: A step

  /// Returns the inputs to apply now, and reads sources if necessary.
  ///
  /// - Parameter isTimer: True when a timer of the governor has expired, which can make a masked fact
  ///   relevant.
  /// - Returns: nil while the inputs wait for sources.
  mutating func admit(
    _ inputs: some Collection<Input>, isTimer: Bool, at now: Instant, _ effects: inout [Effect]
  ) -> [Input]? {
    let waited = answerBy < .distantFuture
    waiting.append(contentsOf: inputs)
    for case .available(let device, let isThere) in inputs { note(device, isAvailable: isThere) }
    if waited {
      for input in inputs { noteAnswer(input) }
      guard now >= answerBy || !sources.contains(where: \.isAwaited) else { return nil }
      for index in sources.indices { sources[index].isAwaited = false }
    }
    // A new fact of one source can make a fact of another source relevant.
    let unmasks = isTimer || waiting.contains { mayUnmask($0) }
    if unmasks || waited { mustPlan = true }
    for index in sources.indices where sources[index].mayBeRead(at: now) {
      if sources[index].due <= now || unmasks && sources[index].hasMaskedReads {
        read(index, at: now, &effects)
      }
    }
    if sources.contains(where: \.isAwaited) {
      answerBy = now + Self.answerTimeout
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

  /// Records whether a device is available. No input waits for a source that is gone.
  private mutating func note(_ device: Int, isAvailable: Bool) {
    for index in sources.indices where sources[index].device == device {
      sources[index].isAbsent = !isAvailable
      if !isAvailable { sources[index].isAwaited = false }
    }
  }

  private mutating func noteAnswer(_ input: Input) {
    guard case .fact(let fact, _) = input else { return }
    for index in sources.indices where sources[index].isAwaited {
      if sources[index].facts.contains(where: { $0.fact == fact }) {
        sources[index].isAwaited = false
      }
    }
  }

  /// Returns whether the input can make a masked fact relevant.
  private func mayUnmask(_ input: Input) -> Bool {
    switch input {
    case .fact(let fact, let value): factNeeds.mayChange(fact, to: value)
    case .outcome, .available, .signal, .localTime, .presence, .keyed: true
    case .hasConsumer, .raise, .release, .delivered, .carried, .wakeRequested: false
    }
  }

  // MARK: Planning

  /// Plans readings from the present needs of the rules.
  ///
  /// After a reload, sources of facts that are needed at once are read, but inputs do not wait for their
  /// values.
  mutating func plan(
    _ factNeeds: FactNeeds, _ facts: FactTable, at now: Instant, _ effects: inout [Effect]
  ) {
    mustPlan = false
    self.factNeeds = factNeeds
    readingTimer = .distantFuture
    for index in sources.indices {
      planReading(index, facts, at: now)
      if mustRead, sources[index].due <= now, sources[index].mayBeRead(at: now) {
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
      guard let need = factNeeds.needs[fact] else { continue }
      let maxAge = factNeeds.maxAges[fact]
      due = min(
        due,
        source.moment(
          need, reading.maxRate, facts.value(fact, at: now, maxAge: maxAge),
          since: facts.instant(fact),
          maxAge: maxAge, at: now))
    }
    sources[index].due = due
    sources[index].hasMaskedReads = source.facts.contains { factNeeds.masked.contains($0.fact) }
  }

  /// Replaces the image whose rules determine the needs. The next plan uses the new image.
  mutating func migrate(to image: VerifiedImage, firstComputed: Int) {
    guard !sources.isEmpty else { return }
    needs = SensingNeeds(image: image, firstComputed: firstComputed)
    mustPlan = true
    mustRead = true
  }
}

/// The needs of the rules for published facts, each under the assumption that all other facts stay constant.
struct FactNeeds: Sendable {
  /// For each published fact: the values that can change a decision. Nil for a fact that no rule, zone or
  /// estimate reads.
  var needs: [FactNeed?] = []
  /// For each published fact: the maximum age of its values; nil for no limit.
  var maxAges: [TimeSpan?] = []
  /// The masked facts: rules read them, but at present other operands determine the results of
  /// these rules.
  var masked: Set<Int> = []

  init() {}

  /// Creates needs in which no rule reads a fact.
  init(count: Int) {
    needs = Array(repeating: nil, count: count)
    maxAges = Array(repeating: nil, count: count)
  }

  /// Returns whether a new value of a fact can change a decision.
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
