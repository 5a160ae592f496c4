import StintMachine
import StintModel
public import StintUnits

/// Sources that are read when what they say can change a decision, and at no other time; at whole multiples of
/// their pace, so that they are read together.
///
/// Before anything could make a resting fact count, the source is read first and what came in waits for it: so what is
/// decided is what would be decided if the source were read all the time.
extension Governor {
  /// How long what came in waits for a source that does not answer.
  static let readingPatience = TimeSpan.milliseconds(100)

  static func readers(_ vocabulary: Vocabulary) -> [SourceReader] {
    vocabulary.manifests.indices.compactMap { SourceReader(device: $0, vocabulary) }
  }

  /// When the source of a fact is to be read next though nothing else happens; nil for never, and for facts that are
  /// not read.
  public func nextReading(of fact: Int) -> Instant? {
    readers.first { $0.facts.contains { $0.fact == fact } }.flatMap {
      $0.due == .distantFuture ? nil : $0.due
    }
  }

  /// Takes what came in, or lets it wait until sources are read; true when it waits.
  mutating func readsFirst(_ inputs: some Collection<Input>) -> Bool {
    let waited = answerBy < .distantFuture
    waiting.append(contentsOf: inputs)
    if waited {
      for input in inputs { noteAnswer(input) }
      guard now >= answerBy || !readers.contains(where: \.isAwaited) else { return true }
      for place in readers.indices { readers[place].isAwaited = false }
    }
    // What a source says may make another count.
    let opens = mayOpen(waiting)
    if opens || waited { mustPlanReadings = true }
    for place in readers.indices where readers[place].isStale(at: now) {
      if readers[place].due <= now || opens && readers[place].rests { read(place) }
    }
    if readers.contains(where: \.isAwaited) {
      answerBy = now + Self.readingPatience
      return true
    }
    answerBy = .distantFuture
    var all: [Input] = []
    swap(&all, &waiting)
    takeAll(all)
    return false
  }

  private mutating func read(_ place: Int) {
    effects.append(.read(device: readers[place].device))
    readers[place].read = now
    readers[place].isAwaited = true
  }

  private mutating func noteAnswer(_ input: Input) {
    guard case .fact(let fact, _) = input else { return }
    for place in readers.indices where readers[place].isAwaited {
      if readers[place].facts.contains(where: { $0.fact == fact }) { readers[place].isAwaited = false }
    }
  }

  /// Whether what came in, or the time, could make a fact count that does not count now.
  private mutating func mayOpen(_ inputs: some Collection<Input>) -> Bool {
    if let timer = machine?.timer(), timer <= now { return true }
    if min(computedTimer, gateTimer) <= now { return true }
    return inputs.contains { input in
      switch input {
      case .fact(let fact, let value): moves(fact, value)
      case .outcome, .available, .said, .localTime: true
      case .heard, .raise, .release, .delivered, .carried, .roused: false
      }
    }
  }

  /// Whether the value could come to something else than the one before.
  private func moves(_ fact: Int, _ value: FactValue) -> Bool {
    guard fact >= 0, fact < outlook.count, let need = outlook[fact] else { return false }
    switch (need, value) {
    case (.nothing, _): return false
    case (.outside(let quiet), .number(let number)): return !quiet.contains(number)
    case (.outside(let quiet), .boolean(let truth)): return !quiet.contains(truth ? 1 : 0)
    case (.outside(let quiet), .symbol(let word)): return !quiet.contains(Double(word))
    default: return true
    }
  }

  /// Works out anew what is needed, and when sources are next to be read.
  mutating func planReadings() {
    guard mustPlanReadings else { return }
    mustPlanReadings = false
    readingTimer = .distantFuture
    noteOutlook()
    for place in readers.indices {
      planReading(place)
      readingTimer = min(readingTimer, readers[place].due)
    }
  }

  private mutating func noteOutlook() {
    outlook = Array(repeating: nil, count: vocabulary.firstComputed)
    restingFacts = []
    guard let program, let machine, let sensing else { return }
    let image = program.image.image
    for (entry, look) in zip(image.facts, sensing.outlook(of: machine, facts: facts, at: now))
    where entry.number < outlook.count {
      outlook[entry.number] = look.need
      if look.guards != nil { restingFacts.insert(entry.number) }
    }
    // Rules that each demand is asked, and zones, take what they read as it comes.
    for entry in program.clientImage?.image.facts ?? [] where entry.number < outlook.count {
      outlook[entry.number] = .everything
    }
    for (fact, decides) in zoneFacts.enumerated() where decides && fact < outlook.count {
      outlook[fact] = .everything
    }
  }

  private mutating func planReading(_ place: Int) {
    var due = Instant.distantFuture
    let reader = readers[place]
    for (fact, reading) in reader.facts {
      guard let need = outlook[fact] else { continue }
      let maxAge = program?.image.image.facts.first { $0.number == fact }?.maxAge
      due = min(
        due,
        reader.moment(
          need, reading.steepest, facts.value(fact, at: now, maxAge: maxAge), since: facts.instant(fact),
          maxAge: maxAge, at: now))
    }
    readers[place].due = due
    readers[place].rests = reader.facts.contains { restingFacts.contains($0.fact) }
  }

  /// Reads what policies that have just been loaded need at once.
  mutating func readWhatIsDue() {
    guard !readers.isEmpty else { return }
    sensing = program.map { SensingNeeds(image: $0.image, firstComputed: vocabulary.firstComputed) }
    mustPlanReadings = true
    planReadings()
    for place in readers.indices where readers[place].due <= now && readers[place].isStale(at: now) {
      read(place)
      readers[place].isAwaited = false
      planReading(place)
    }
    readingTimer = readers.map(\.due).min() ?? .distantFuture
  }
}
