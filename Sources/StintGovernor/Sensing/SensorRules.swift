import StintMachine
import StintModel
import StintUnits

/// The sensed rules are those that read what a device says only while it works.
///
/// Made when policies are prepared, so that no step searches an image.
struct SensorRules: Sendable {
  /// A rule that reads facts of one device, or places.
  struct Reader: Sendable {
    /// Its index in the image.
    let rule: Int
    /// The facts of the source that it reads, by their places in the image; empty for a per-demand rule.
    let facts: [Int]
    /// The devices that it limits, and from which the source does not take its facts; without a demand on one of them
    /// the rule decides nothing.
    let targets: [Int]
    /// Whether it decides something without any demand: it starts, acts, or moves a state machine.
    let isUnconditional: Bool
    /// Whether each demand is asked it.
    let isPerDemand: Bool
  }

  /// A device with the rules that read its facts, in the order of the policies.
  struct Source: Sendable {
    let device: Int
    /// What is asked of it so that it says its facts.
    let wants: DemandSettings
    let readers: [Reader]
  }

  /// Sorted by device.
  private(set) var sources: [Source] = []
  /// What is looked at to know where the phone is, and the rules that ask; nil where none does.
  private(set) var places: Source?
  let needs: SensingNeeds?
  /// By fact: whether a change of it may change what a reader needs.
  private var isWatched: ContiguousArray<Bool> = []
  /// The policy of each reader's rule, by the rule's index in the image.
  private var names: [Int: RuleID] = [:]

  /// No rules.
  init() { needs = nil }

  init(_ program: Program, _ vocabulary: Vocabulary, _ index: DirectiveIndex) {
    let needs = SensingNeeds(image: program.image)
    self.needs = needs
    let survey = ReaderSurvey(program, vocabulary, index, needs)
    for device in survey.byDevice.keys.sorted() {
      let readers = (survey.byDevice[device] ?? []).sorted { $0.rule < $1.rule }
      guard !readers.isEmpty else { continue }
      sources.append(
        Source(device: device, wants: Self.wants(of: vocabulary.manifests[device]), readers: readers))
    }
    if let target = Self.positioning(vocabulary), !survey.ofPlaces.isEmpty {
      let wants = DemandSettings(accuracy: survey.smallestRadius / 2, background: true)
      places = Source(
        device: target, wants: wants, readers: survey.ofPlaces.sorted { $0.rule < $1.rule })
    }
    guard !isEmpty else { return }
    isWatched = ContiguousArray(repeating: false, count: vocabulary.facts.count)
    for reader in sources.flatMap(\.readers) + (places?.readers ?? []) {
      names[reader.rule] = index.name(ofRule: reader.rule)
      for place in needs.facts(readBy: reader.rule) {
        isWatched[program.image.image.facts[place].number] = true
      }
    }
  }

  var isEmpty: Bool { sources.isEmpty && places == nil }

  /// Whether a change of a fact may change what a reader needs.
  @inline(__always) func watches(_ fact: Int) -> Bool { fact < isWatched.count && isWatched[fact] }

  /// The name of a reader's rule.
  func name(of reader: Reader) -> RuleID { names[reader.rule] ?? .asAsked }

  /// A device says its facts at the rate that its manifest names; no client waits for its samples. A member of a ladder says
  /// its own facts only where no cheaper one stands in for it.
  private static func wants(of manifest: Manifest) -> DemandSettings {
    DemandSettings(
      accuracy: manifest.ladder?.serves, latency: DemandSettings.newestOnlyLatency, background: true)
  }

  /// The finest device that says where the phone is; cheaper ones of its ladder stand in for it where they can.
  private static func positioning(_ vocabulary: Vocabulary) -> Int? {
    vocabulary.manifests.indices.filter { device in
      let path = vocabulary.manifests[device].device.path
      return vocabulary.manifests[device].kind == .sensor
        && ["latitude", "longitude", "accuracy"].allSatisfy {
          vocabulary.schema("\(path).\($0)")?.isAlwaysPublished == false
        }
    }.max { (vocabulary.manifests[$0].ladder?.rank ?? 0) < (vocabulary.manifests[$1].ladder?.rank ?? 0) }
  }
}

/// Goes through the rules of a program and collects those that read what a device must work for.
private struct ReaderSurvey {
  private let vocabulary: Vocabulary
  private let index: DirectiveIndex
  /// By fact: the device that must work for it; -1 for none.
  private var sources: [Int]
  private var positioning: Set<Int> = []
  private var movers: Set<RuleID>
  var byDevice: [Int: [SensorRules.Reader]] = [:]
  var ofPlaces: [SensorRules.Reader] = []
  /// The radius of the smallest circle that is asked about.
  var smallestRadius = Double.infinity

  init(
    _ program: Program, _ vocabulary: Vocabulary, _ index: DirectiveIndex, _ needs: SensingNeeds
  ) {
    self.vocabulary = vocabulary
    self.index = index
    sources = Self.sources(vocabulary)
    movers = Set(program.moves.map(\.rule))
    for device in vocabulary.manifests.indices {
      let path = vocabulary.manifests[device].device.path
      if vocabulary.fact(path + ".latitude") != nil { positioning.insert(device) }
    }
    let image = program.image.image
    for (rule, entry) in image.rules.enumerated() where !entry.isPerDemand && !entry.isInert {
      add(rule, entry, of: image, reads: needs.facts(readBy: rule), from: image)
    }
    guard let own = program.clientImage, let rules = PerDemandRules(program, vocabulary) else { return }
    let ownNeeds = SensingNeeds(image: own)
    for (place, rule) in rules.rules.enumerated() {
      add(rule, image.rules[rule], of: image, reads: ownNeeds.facts(readBy: place), from: own.image)
    }
  }

  /// By fact, the sensor that says it while it is on and at no other time; -1 for none.
  private static func sources(_ vocabulary: Vocabulary) -> [Int] {
    vocabulary.facts.enumerated().map { number, schema in
      guard number < vocabulary.firstComputed, schema.reading == nil, !schema.isAlwaysPublished,
        let device = schema.device.flatMap({ vocabulary.device($0) }),
        vocabulary.manifests[device].kind == .sensor,
        vocabulary.manifests[device].facts.contains(where: { $0.path == schema.path })
      else { return -1 }
      return device
    }
  }

  private mutating func add(
    _ rule: Int, _ entry: ImageRule, of image: Image, reads facts: [Int], from source: Image
  ) {
    var read: [Int: [Int]] = [:]
    var places: [Int] = []
    for place in facts {
      let number = source.facts[place].number
      if sources[number] >= 0 {
        read[sources[number], default: []].append(place)
      } else if let radius = radius(ofZoneAskedBy: number) {
        places.append(place)
        smallestRadius = min(smallestRadius, radius)
      }
    }
    for (device, facts) in read {
      if let reader = reader(rule, entry, of: image, facts, kin: relatedDevices(of: device)) {
        byDevice[device, default: []].append(reader)
      }
    }
    guard !places.isEmpty else { return }
    if let reader = reader(rule, entry, of: image, places, kin: positioning) { ofPlaces.append(reader) }
  }

  /// The radius of the circle that a computed fact asks about; nil for other facts.
  private func radius(ofZoneAskedBy fact: Int) -> Double? {
    guard fact >= vocabulary.firstComputed,
      case .zone(let zone, _) = vocabulary.computed[fact - vocabulary.firstComputed].source,
      case .circle(_, let radius) = zone.shape
    else { return nil }
    return radius
  }

  /// The devices whose own work a rule on them observes: the source with its ladder.
  private func relatedDevices(of device: Int) -> Set<Int> {
    guard let ladder = vocabulary.manifests[device].ladder?.name else { return [device] }
    return Set(vocabulary.manifests.indices.filter { vocabulary.manifests[$0].ladder?.name == ladder })
  }

  /// A rule as a reader; nil where all that it does is to limit the devices that it observes.
  private func reader(
    _ rule: Int, _ entry: ImageRule, of image: Image, _ facts: [Int], kin: Set<Int>
  ) -> SensorRules.Reader? {
    var targets: Set<Int> = []
    var isUnconditional = movers.contains(entry.id)
    for number in entry.directives {
      let others = index.targets[number].filter { !kin.contains($0) }
      switch image.directives[number].directive.action {
      case .start, .serve, .resume: isUnconditional = true
      case .stop, .pause, .coarsen, .slow, .batch, .postpone, .bar: targets.formUnion(others)
      }
    }
    for act in image.acts[entry.acts] {
      switch act {
      case .flush(let flushed):
        targets.formUnion(flushed.compactMap { vocabulary.device($0) }.filter { !kin.contains($0) })
      case .fix, .emit, .tell, .launch, .violation: isUnconditional = true
      }
    }
    guard isUnconditional || !targets.isEmpty else { return nil }
    return SensorRules.Reader(
      rule: rule, facts: entry.isPerDemand ? [] : facts, targets: targets.sorted(),
      isUnconditional: isUnconditional, isPerDemand: entry.isPerDemand)
  }
}
