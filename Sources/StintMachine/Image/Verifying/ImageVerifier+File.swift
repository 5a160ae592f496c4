public import StintModel
public import StintUnits

/// A file of which everything has been looked at against the devices that are there; only the verifier makes one.
public struct VerifiedImageFile: Sendable {
  public let file: ImageFile
  public let image: VerifiedImage
  public let clientImage: VerifiedImage?

  fileprivate init(file: ImageFile, image: VerifiedImage, clientImage: VerifiedImage?) {
    self.file = file
    self.image = image
    self.clientImage = clientImage
  }
}

extension ImageVerifier {
  /// How many facts policies may compute, and how many moves their machines may have.
  public static let mostComputed = 1 << 14

  /// The file, safe to load for these devices and facts, or the first reason why it is not.
  public static func verify(
    _ file: ImageFile, vocabulary: Vocabulary
  ) throws(Problem) -> VerifiedImageFile {
    try file.manifests.checkDevices(of: vocabulary)
    for (count, name) in [(file.computed.count, "facts"), (file.moves.count, "moves")] {
      try require(
        count <= mostComputed, .size, "the computed \(name)",
        "there are \(count), and at most \(mostComputed) may be")
    }
    let vocabulary = vocabulary.computing(file.computed)
    for fact in file.computed { try check(fact) }
    for (number, move) in file.moves.enumerated() { try check(move, number, file, vocabulary) }
    for defaults in file.defaults {
      let place = { "the defaults of \(defaults.device)" }
      try check(defaults.wants, place)
      try require(isWait(defaults.linger), .value, place(), "it lingers \(defaults.linger ?? .zero)")
      let services = defaults.services
      try require(
        services.filter.map { $0.isFinite && $0 > 0 } ?? true, .value, place(),
        "it filters by \(services.filter ?? 0) m")
      try require(
        isWait(services.heartbeat), .value, place(), "its heartbeat is \(services.heartbeat ?? .zero)")
    }
    let numbers = try file.manifests.numbers(in: vocabulary)
    let image = try verify(file.image, numbers, vocabulary)
    guard let own = file.clientImage else {
      let asked = file.image.rules.first { $0.isPerDemand }
      try require(
        asked == nil, .contradiction, "rule \(asked?.id ?? .asAsked)",
        "each demand is asked it, and nothing says what")
      return VerifiedImageFile(file: file, image: image, clientImage: nil)
    }
    try check(own, against: file.image)
    return VerifiedImageFile(
      file: file, image: image, clientImage: try verify(own, numbers, vocabulary))
  }

  /// Gives the facts of an image their numbers in the vocabulary, and looks at the rest of it.
  private static func verify(
    _ image: Image, _ numbers: [Int], _ vocabulary: Vocabulary
  ) throws(Problem) -> VerifiedImage {
    for (place, fact) in image.facts.enumerated() {
      try require(
        numbers.indices.contains(fact.number), .index, "fact \(place)",
        "no fact has the number \(fact.number)")
    }
    return try verify(image.numberingFacts { numbers[$0] }) { number in
      vocabulary.facts[number].type == .boolean ? .truth : .number
    }
  }

  /// The rules that each demand is asked are listed in the image of all, in the same order and with the same
  /// directives.
  private static func check(_ own: Image, against all: Image) throws(Problem) {
    let listed = all.rules.filter(\.isPerDemand)
    try require(
      listed.map(\.id) == own.rules.map(\.id), .contradiction, "the image for demands",
      "its rules are not those that the image of all lists")
    for (listed, rule) in zip(listed, own.rules) {
      let place = "rule \(rule.id) for demands"
      let directives = (0...own.directives.count)
      try require(
        directives.contains(rule.directives.lowerBound) && directives.contains(rule.directives.upperBound),
        .index, place, "it has directives \(rule.directives)")
      let isSame =
        all.directives[listed.directives].map(\.directive) == own.directives[rule.directives].map(\.directive)
      try require(isSame, .contradiction, place, "its directives are not those that are listed")
      try require(rule.acts.isEmpty, .contradiction, place, "it acts, and only rules for all do")
      try require(!rule.isPerDemand, .contradiction, place, "it is listed where it should stand")
      try require(
        listed.code.isEmpty && listed.acts.isEmpty && listed.trigger == .level, .contradiction, place,
        "it stands where it should only be listed")
    }
    try require(
      own.rules.reduce(0) { $0 + $1.directives.count } == own.directives.count, .contradiction,
      "the image for demands", "a directive belongs to no rule")
    try require(own.overrides.isEmpty, .contradiction, "the image for demands", "it has overrides")
  }

  // MARK: What policies compute

  private static func check(_ fact: ComputedFact) throws(Problem) {
    let place = { "computed fact “\(fact.schema.path)”" }
    try require(isSpan(fact.schema.maxAge), .value, place(), "it stands \(fact.schema.maxAge ?? .zero)")
    try require(isSpan(fact.schema.fastest), .value, place(), "it comes each \(fact.schema.fastest ?? .zero)")
    try require(
      isOfUnit(fact), .unit, place(), "it is \(fact.schema.type.name), which it cannot be")
    switch fact.source {
    case .budget(let budget):
      try require(budget.amount > .zero, .value, place(), "its budget is nothing")
      let most: TimeSpan = budget.period == .hour ? .hours(1) : .hours(24)
      try require(budget.from >= .zero && budget.from < most, .value, place(), "it begins at \(budget.from)")
    case .zone(let zone, _):
      try require(
        isDelay(zone.enterAfter) && isDelay(zone.exitAfter), .value, place(),
        "its zone waits \(zone.enterAfter) and \(zone.exitAfter)")
      guard case .circle(_, let radius) = zone.shape else { return }
      try require(radius.isFinite && radius >= 0, .value, place(), "its radius is \(radius) m")
    case .machine(let initial):
      try require(isWord(initial, of: fact.schema), .index, place(), "it begins in state \(initial)")
    case .respite(_, let bound):
      try require(bound.isFinite && bound > 0, .value, place(), "its bound is \(bound) m")
    case .observed(let observation):
      try require(fact.schema.path == observation.path, .value, place(), "it is “\(observation.path)”")
      guard case .spread(_, let window) = observation else { return }
      try require(isDelay(window) && window > .zero, .value, place(), "its window is \(window)")
    case .wakeups, .energy, .unexplained, .rule, .client, .grant: return
    }
  }

  private static func isOfUnit(_ fact: ComputedFact) -> Bool {
    switch fact.source {
    case .wakeups: fact.schema.type == .quantity(.rate)
    case .energy: fact.schema.type == .quantity(.energy)
    case .unexplained, .respite: fact.schema.type == .quantity(.time)
    case .budget: fact.schema.type == .quantity(.ratio)
    case .zone, .rule: fact.schema.type == .boolean
    case .machine: if case .symbol = fact.schema.type { true } else { false }
    case .observed(let observation): fact.schema.type == observation.type
    case .grant(let grant): fact.schema.type == grant.computed.schema.type
    case .client(.activity): if case .symbol = fact.schema.type { true } else { false }
    case .client(let client): fact.schema.type == client.computed(manifests: []).schema.type
    }
  }

  private static func isDelay(_ span: TimeSpan) -> Bool { span == .zero || PolicyLimits.allows(span) }

  private static func isWord(_ number: Int, of schema: FactSchema) -> Bool {
    guard case .symbol(let words) = schema.type else { return false }
    return words.indices.contains(number)
  }

  private static func check(
    _ move: StateTransition, _ number: Int, _ file: ImageFile, _ vocabulary: Vocabulary
  ) throws(Problem) {
    let place = { "move \(number) of “\(move.machine)”" }
    guard let fact = vocabulary.fact(move.machine), fact >= vocabulary.firstComputed,
      case .machine = vocabulary.computed[fact - vocabulary.firstComputed].source
    else {
      throw Problem(
        .index, place: place(), cause: "there is no such machine", remedy: "compile the policies again")
    }
    try require(
      isWord(move.target, of: vocabulary.facts[fact]), .index, place(), "it leads to state \(move.target)")
  }
}
