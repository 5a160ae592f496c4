public import StintModel
public import StintUnits

/// An image file that is verified against the devices of a vocabulary. Only `ImageVerifier` creates values of
/// this type.
public struct VerifiedImageFile: Sendable {
  /// The content of the file.
  public let file: ImageFile
  /// The verified image; its facts have vocabulary indexes.
  public let image: VerifiedImage
  /// The verified image of the rules that are evaluated once per demand; nil without such rules.
  public let perDemandImage: VerifiedImage?

  fileprivate init(file: ImageFile, image: VerifiedImage, perDemandImage: VerifiedImage?) {
    self.file = file
    self.image = image
    self.perDemandImage = perDemandImage
  }
}

extension ImageVerifier {
  /// The largest number of computed facts, and the largest number of state machine transitions.
  public static let maxComputed = 1 << 14

  /// Verifies a file against the devices and facts of a vocabulary.
  ///
  /// - Throws: the first `Problem` that makes the file unsafe to load.
  public static func verify(
    _ file: ImageFile, vocabulary: Vocabulary
  ) throws(Problem) -> VerifiedImageFile {
    try file.manifests.checkDevices(of: vocabulary)
    for (count, name) in [(file.computed.count, "computed facts"), (file.moves.count, "transitions")] {
      try require(
        count <= maxComputed, .size, "the \(name)",
        "there are \(count), and at most \(maxComputed) are allowed")
    }
    let vocabulary = vocabulary.computing(file.computed)
    for fact in file.computed { try check(fact, vocabulary) }
    for (number, move) in file.moves.enumerated() { try check(move, number, file, vocabulary) }
    for defaults in file.defaults {
      let place = { "the defaults of \(defaults.device)" }
      try check(defaults.wants, place)
      try require(isWait(defaults.linger), .value, place(), "the linger time is \(defaults.linger ?? .zero)")
      let services = defaults.services
      try require(
        services.filter.map { $0.isFinite && $0 > 0 } ?? true, .value, place(),
        "the distance filter is \(services.filter ?? 0) m")
      try require(
        isWait(services.heartbeat), .value, place(), "the heartbeat is \(services.heartbeat ?? .zero)")
    }
    let numbers = try file.manifests.numbers(in: vocabulary)
    let image = try verify(file.image, numbers, vocabulary)
    guard let perDemandImage = file.perDemandImage else {
      let perDemandRule = file.image.rules.first { $0.isPerDemand }
      try require(
        perDemandRule == nil, .contradiction, "rule \(perDemandRule?.id ?? .asAsked)",
        "it is evaluated per demand, but there is no image for demands")
      return VerifiedImageFile(file: file, image: image, perDemandImage: nil)
    }
    try check(perDemandImage, against: file.image)
    return VerifiedImageFile(
      file: file, image: image, perDemandImage: try verify(perDemandImage, numbers, vocabulary))
  }

  /// Replaces the fact indexes of an image by indexes into the vocabulary, and verifies the image.
  private static func verify(
    _ image: Image, _ numbers: [Int], _ vocabulary: Vocabulary
  ) throws(Problem) -> VerifiedImage {
    for (place, fact) in image.facts.enumerated() {
      try require(
        numbers.indices.contains(fact.number), .index, "fact \(place)",
        "the file has no fact \(fact.number)")
    }
    return try verify(image.numberingFacts { numbers[$0] }) { number in
      vocabulary.facts[number].type == .boolean ? .truth : .number
    }
  }

  /// Checks that the main image lists the rules of the per-demand image, in order and with equal directives.
  private static func check(_ perDemandImage: Image, against mainImage: Image) throws(Problem) {
    let listed = mainImage.rules.filter(\.isPerDemand)
    try require(
      listed.map(\.id) == perDemandImage.rules.map(\.id), .contradiction, "the image for demands",
      "its rules differ from those that the main image lists")
    for (listed, rule) in zip(listed, perDemandImage.rules) {
      let place = "rule \(rule.id) for demands"
      let directives = (0...perDemandImage.directives.count)
      try require(
        directives.contains(rule.directives.lowerBound) && directives.contains(rule.directives.upperBound),
        .index, place, "the range of its directives is \(rule.directives)")
      let isSame =
        mainImage.directives[listed.directives].map(\.directive)
        == perDemandImage.directives[rule.directives].map(\.directive)
      try require(isSame, .contradiction, place, "its directives differ from those in the main image")
      try require(rule.acts.isEmpty, .contradiction, place, "rules for demands cannot have one-time actions")
      try require(!rule.isPerDemand, .contradiction, place, "the image for demands contains no code for it")
      try require(
        listed.code.isEmpty && listed.acts.isEmpty && listed.trigger == .level, .contradiction, place,
        "the main image must contain only a reference to it")
    }
    try require(
      perDemandImage.rules.reduce(0) { $0 + $1.directives.count } == perDemandImage.directives.count,
      .contradiction,
      "the image for demands", "a directive belongs to no rule")
    try require(perDemandImage.overrides.isEmpty, .contradiction, "the image for demands", "it has overrides")
  }

  // MARK: Computed facts

  private static func check(_ fact: ComputedFact, _ vocabulary: Vocabulary) throws(Problem) {
    let place = { "computed fact “\(fact.schema.path)”" }
    try require(isSpan(fact.schema.maxAge), .value, place(), "its max age is \(fact.schema.maxAge ?? .zero)")
    try require(isSpan(fact.schema.fastest), .value, place(), "its period is \(fact.schema.fastest ?? .zero)")
    try require(
      hasValidType(fact), .unit, place(), "its type cannot be \(fact.schema.type.name)")
    switch fact.source {
    case .budget(let budget):
      try require(budget.amount > .zero, .value, place(), "its budget must be above zero")
      let most: TimeSpan = budget.period == .hour ? .hours(1) : .hours(24)
      try require(budget.from >= .zero && budget.from < most, .value, place(), "it begins at \(budget.from)")
    case .zone(let zone, _):
      try require(
        isDelay(zone.enterAfter) && isDelay(zone.exitAfter), .value, place(),
        "its zone has the delays \(zone.enterAfter) and \(zone.exitAfter)")
      guard case .circle(_, let radius) = zone.shape else { return }
      try require(radius.isFinite && radius >= 0, .value, place(), "its radius is \(radius) m")
    case .machine(let initial):
      try require(isWord(initial, of: fact.schema), .index, place(), "its initial state is \(initial)")
    case .respite(_, let bound):
      try require(bound.isFinite && bound > 0, .value, place(), "its bound is \(bound) m")
    case .observed(let observation):
      try require(
        fact.schema.path == observation.path, .value, place(),
        "its observation has the path “\(observation.path)”")
      guard case .spread(_, let window) = observation else { return }
      try require(isDelay(window) && window > .zero, .value, place(), "its window is \(window)")
    case .keyed:
      try require(
        vocabulary.keyedSchema(fact.schema.path)?.type == fact.schema.type, .incompatible, place(),
        "no device declares a family with this fact")
    case .wakeups, .energy, .unexplained, .rule, .client, .grant: return
    }
  }

  private static func hasValidType(_ fact: ComputedFact) -> Bool {
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
    case .keyed: true
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
    let place = { "transition \(number) of “\(move.machine)”" }
    guard let fact = vocabulary.fact(move.machine), fact >= vocabulary.firstComputed,
      case .machine = vocabulary.computed[fact - vocabulary.firstComputed].source
    else {
      throw Problem(
        .index, place: place(), cause: "there is no such state machine", remedy: "compile the policies again")
    }
    try require(
      isWord(move.target, of: vocabulary.facts[fact]), .index, place(), "it leads to state \(move.target)")
  }
}
