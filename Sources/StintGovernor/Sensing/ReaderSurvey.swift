import StintMachine
import StintModel
import StintUnits

/// Collects the rules of a program that read facts for which a sensor must work.
struct ReaderSurvey {
  /// A device and the sampling period that a rule needs.
  private struct SourceKey: Hashable, Comparable {
    var device: Int
    var period: TimeSpan?
    /// True when the manifest limits the rate of change of each fact that the rule reads from the device.
    /// Always false for per-demand rules.
    var isPaced = false

    static func < (left: Self, right: Self) -> Bool {
      (left.device, left.period ?? .zero, left.isPaced ? 1 : 0)
        < (right.device, right.period ?? .zero, right.isPaced ? 1 : 0)
    }
  }

  private let vocabulary: Vocabulary
  private let index: DirectiveIndex
  private let needs: SensingNeeds
  /// For each fact of the vocabulary: the sensor that publishes it only while the sensor works. The value is
  /// -1 when there is no such sensor.
  private let sensors: [Int]
  /// The devices that publish positions.
  private let positioning: Set<Int>
  /// The rules that change the state of a state machine.
  private let movers: Set<RuleID>
  private var readers: [SourceKey: [SensorRules.Reader]] = [:]
  private var placeReaders: [SensorRules.Reader] = []
  /// The circular zones of `placeReaders`.
  private var zones: Set<ZoneKey> = []

  init(_ program: Program, _ vocabulary: Vocabulary, _ index: DirectiveIndex, _ needs: SensingNeeds) {
    self.vocabulary = vocabulary
    self.index = index
    self.needs = needs
    sensors = Self.sensors(vocabulary)
    movers = Set(program.moves.map(\.rule))
    positioning = Set(vocabulary.roles.devices(.positioning).compactMap(vocabulary.device))
    let image = program.image.image
    for (rule, entry) in image.rules.enumerated() where !entry.isPerDemand && !entry.isInert {
      add(rule, entry, of: image, reads: needs.reads(ofRule: rule), from: image)
    }
    guard let own = program.perDemandImage, let rules = PerDemandRules(program, vocabulary) else { return }
    let ownNeeds = SensingNeeds(image: own)
    for (place, rule) in rules.rules.enumerated() {
      add(rule, image.rules[rule], of: image, reads: ownNeeds.reads(ofRule: place), from: own.image)
    }
  }

  /// The devices with the rules that read their facts, sorted by device and period.
  var sources: [SensorRules.Source] {
    readers.keys.sorted().map { key in
      let manifest = vocabulary.manifests[key.device]
      // No client receives the samples, so only the newest sample matters. The demand requests the finest
      // accuracy of the sensor, so that this member of the ladder serves the demand and publishes its facts.
      let wants = DemandSettings(
        accuracy: manifest.ladder?.serves, period: key.period, latency: DemandSettings.newestOnlyLatency,
        background: true)
      let periods = key.isPaced ? key.period.map { manifest.periods(upTo: $0) } : nil
      let wait = manifest.firstValueTime(every: periods?.shortest ?? key.period)
      return SensorRules.Source(
        device: key.device, wants: wants, periods: periods,
        readers: (readers[key] ?? []).sorted { $0.rule < $1.rule },
        firstValueWait: wait <= SensorRules.Source.longestWait ? wait : nil)
    }
  }

  /// The rules that use circular zones; nil when no rule does, or no device publishes positions.
  var places: SensorRules.Places? {
    SensorRules.Places(placeReaders.sorted { $0.rule < $1.rule }, zones, vocabulary)
  }

  /// Returns the power of reading each fact of an image, in nanowatts.
  func prices(of image: Image) -> [Int64] {
    let readsZones = places != nil
    return image.facts.map { fact in
      circle(of: fact.number) != nil && !readsZones ? 0 : vocabulary.readingPrice(ofFact: fact.number)
    }
  }

  // MARK: Facts

  /// Returns, for each fact, the sensor that publishes it only while the sensor works. The value is -1 when
  /// there is no such sensor.
  private static func sensors(_ vocabulary: Vocabulary) -> [Int] {
    vocabulary.facts.enumerated().map { number, schema in
      guard number < vocabulary.firstComputed, let device = schema.device.flatMap({ vocabulary.device($0) }),
        vocabulary.manifests[device].isSensed(schema)
      else { return -1 }
      return device
    }
  }

  /// Returns the sensor that must work for a fact. For a published fact, this is its sensor. For a computed
  /// fact, this is the sensor of the published fact from which it is computed. Nil when no sensor must work.
  private func sensor(of fact: Int) -> Int? {
    if fact < sensors.count, sensors[fact] >= 0 { return sensors[fact] }
    guard let input = input(of: fact).flatMap({ vocabulary.fact($0.path) }) else { return nil }
    return sensors[input] >= 0 ? sensors[input] : nil
  }

  private func input(of fact: Int) -> ComputedFact.SensedInput? {
    fact >= vocabulary.firstComputed ? vocabulary.computed[fact - vocabulary.firstComputed].sensedInput : nil
  }

  private func zone(of fact: Int) -> Zone? {
    guard fact >= vocabulary.firstComputed,
      case .zone(let zone, _) = vocabulary.computed[fact - vocabulary.firstComputed].source
    else { return nil }
    return zone
  }

  private func circle(of fact: Int) -> SensorRules.Circle? {
    guard case .circle(let centre, let radius)? = zone(of: fact)?.shape else { return nil }
    return SensorRules.Circle(centre: centre, radius: radius)
  }

  /// Returns the longest period at which a fact is read often enough; nil when there is no limit.
  private func period(of fact: Int, within span: TimeSpan?) -> TimeSpan? {
    guard let manifest = sensor(of: fact).map({ vocabulary.manifests[$0] }) else { return nil }
    guard let input = input(of: fact), let schema = vocabulary.schema(input.path) else {
      return manifest.readingPeriod(of: vocabulary.facts[fact], within: span)
    }
    return manifest.readingPeriod(of: schema, as: input, within: span)
  }

  // MARK: Rules

  private mutating func add(
    _ rule: Int, _ entry: ImageRule, of image: Image, reads facts: [Int: TimeSpan?], from factImage: Image
  ) {
    var read: [Int: (facts: [Int], period: TimeSpan?, isPaced: Bool)] = [:]
    var circles: [Int: SensorRules.Circle] = [:]
    for (fact, span) in facts.sorted(by: { $0.key < $1.key }) {
      let number = factImage.facts[fact].number
      if let sensor = sensor(of: number) {
        let isPaced = !entry.isPerDemand && vocabulary.isPaced(number)
        let slowest = isPaced ? vocabulary.manifests[sensor].longestPeriod : nil
        let period = period(of: number, within: span) ?? slowest
        let known = read[sensor]
        read[sensor] = (
          (known?.facts ?? []) + [fact], [known?.period, period].compactMap(\.self).min(),
          isPaced && known?.isPaced ?? true
        )
      } else if let circle = circle(of: number) {
        circles[fact] = circle
        note(number)
      }
    }
    for (device, read) in read {
      let key = SourceKey(
        device: device, period: vocabulary.manifests[device].honoured(read.period), isPaced: read.isPaced)
      guard
        var reader = reader(rule, entry, of: image, read.facts, observing: relatedDevices(of: device))
      else { continue }
      if !entry.isPerDemand {
        reader.testedWhenRead = reader.observed.filter { sensor(of: $0) == device }
        let (manifest, tested) = (
          vocabulary.manifests[device], Set(needs.facts(readBy: rule).map { image.facts[$0].number })
        )
        reader.onFacts = manifest.onFacts.compactMap(vocabulary.fact).filter(tested.contains)
        reader.stateFact = vocabulary.fact(manifest.stateFact).flatMap { tested.contains($0) ? $0 : nil }
        reader.workingStates = manifest.workingStates
        reader.testedDemand = needs.devices(testedBy: rule).first { $0 == manifest.device }
      }
      add(key, reader)
    }
    if !circles.isEmpty,
      var reader = reader(
        rule, entry, of: image, circles.keys.sorted(), observing: positioning, isPlace: true)
    {
      reader.circles = circles
      addPlace(reader)
    }
    for number in entry.directives {
      guard let zone = watchedZone(number, of: image) else { continue }
      note(zone.fact)
      let watch = SensorRules.Watch(
        directive: number, circle: zone.circle, devices: Set(index.targets[number]))
      addPlace(
        SensorRules.Reader(
          rule: rule, facts: [], targets: [], isUnconditional: true, isPerDemand: false, observed: [],
          watch: watch))
    }
  }

  /// Records the zone of a fact.
  private mutating func note(_ fact: Int) {
    if let key = ZoneKey(vocabulary.computed[fact - vocabulary.firstComputed]) { zones.insert(key) }
  }

  /// Returns the circular zone that a directive watches, and the fact that states whether the host is inside.
  /// Nil for all other directives.
  private func watchedZone(_ number: Int, of image: Image) -> (fact: Int, circle: SensorRules.Circle)? {
    guard case .locate(let zone) = image.directives[number].directive.action,
      let fact = vocabulary.fact(ZoneQuery.inside.path(ofZone: zone)), let circle = circle(of: fact)
    else { return nil }
    return (fact, circle)
  }

  /// Adds a reader of zones. The reader also reads the movement of the host, which determines how often a
  /// position is needed.
  private mutating func addPlace(_ reader: SensorRules.Reader) {
    placeReaders.append(reader)
    guard let activity = vocabulary.fact("motion.activity"), let device = sensor(of: activity) else { return }
    let period = period(of: activity, within: nil)
    add(SourceKey(device: device, period: vocabulary.manifests[device].honoured(period)), reader)
  }

  private mutating func add(_ key: SourceKey, _ reader: SensorRules.Reader?) {
    guard let reader,
      reader.watch != nil
        || !(readers[key] ?? []).contains(where: { $0.rule == reader.rule && $0.facts == reader.facts })
    else { return }
    readers[key, default: []].append(reader)
  }

  /// Returns a device and the other devices of its ladder. A rule that limits only these devices is an
  /// observer of the device, so it causes no reading.
  private func relatedDevices(of device: Int) -> Set<Int> {
    guard let ladder = vocabulary.manifests[device].ladder?.name else { return [device] }
    return Set(vocabulary.manifests.indices.filter { vocabulary.manifests[$0].ladder?.name == ladder })
  }

  /// Returns the rule as a reader. Nil for a rule that only observes facts, and for a rule that only limits
  /// devices in `related`.
  ///
  /// A rule that limits positioning devices is a reader of its circular zones: the other devices find the
  /// position. Otherwise, the zones would be unknown ten minutes after such a rule turned a device off.
  /// `CheckedRule.placeReading` returns the same devices.
  private func reader(
    _ rule: Int, _ entry: ImageRule, of image: Image, _ facts: [Int], observing related: Set<Int>,
    isPlace: Bool = false
  ) -> SensorRules.Reader? {
    var targets: Set<Int> = []
    var limited: Set<Int> = []
    var isUnconditional = movers.contains(entry.id)
    var delaying: [Int] = []
    for number in entry.directives {
      let others = index.targets[number].filter { !related.contains($0) }
      switch image.directives[number].directive.action {
      case .start, .locate, .serve, .resume: isUnconditional = true
      case .stop, .pause, .limitAccuracy, .slow, .limitAttributes, .batch, .postpone, .stopService:
        targets.formUnion(others)
        limited.formUnion(index.targets[number].filter { related.contains($0) })
      }
      if !entry.isPerDemand, delaysTransfers(number, of: image) { delaying.append(number) }
    }
    for act in image.acts[entry.acts] {
      switch act {
      case .flush(let flushed):
        targets.formUnion(flushed.compactMap { vocabulary.device($0) }.filter { !related.contains($0) })
      case .fix, .emit, .tell, .launch: isUnconditional = true
      // A requirement describes only known facts, so it causes no reading.
      case .violation: break
      }
    }
    if isUnconditional || !isPlace { limited = [] }
    guard isUnconditional || !targets.isEmpty || !limited.isEmpty else { return nil }
    return SensorRules.Reader(
      rule: rule, facts: facts, targets: targets.union(limited).sorted(), isUnconditional: isUnconditional,
      isPerDemand: entry.isPerDemand,
      observed: entry.isPerDemand ? [] : observed(by: rule, of: image, from: related),
      limitedProviders: limited, barred: targets.isEmpty ? limited : [], delaying: delaying)
  }

  /// Returns whether a directive delays the transfers of a radio.
  private func delaysTransfers(_ directive: Int, of image: Image) -> Bool {
    switch image.directives[directive].directive.action {
    case .batch, .postpone: index.targets[directive].contains { vocabulary.manifests[$0].kind == .radio }
    default: false
    }
  }

  /// Returns the facts of some sensors that a rule tests with `known` or `age`.
  private func observed(by rule: Int, of image: Image, from sensors: Set<Int>) -> Set<Int> {
    Set(needs.facts(observedBy: rule).map { image.facts[$0].number })
      .filter { fact in sensor(of: fact).map(sensors.contains) ?? false }
  }
}

extension Manifest {
  /// Returns the range of periods of a source whose facts have a limited rate of change.
  fileprivate func periods(upTo longest: TimeSpan) -> SensorRules.PeriodRange {
    SensorRules.PeriodRange(shortest: min(defaultPeriod ?? longest, longest), longest: longest)
  }
}

extension Vocabulary {
  /// Returns whether a device publishes the fact, and its manifest limits the rate of change.
  fileprivate func isPaced(_ fact: Int) -> Bool { fact < firstComputed && facts[fact].maxRate != nil }
}
