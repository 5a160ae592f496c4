import StintMachine
import StintModel
import StintUnits

/// The rules that read facts which a sensor publishes only while the sensor works.
///
/// This value is computed when policies are prepared, so that no step searches an image.
struct SensorRules: Sendable {
  /// A directive that watches a circular zone with some devices.
  struct Watch: Sendable {
    /// The index of the directive in the image.
    let directive: Int
    let circle: Circle
    /// The devices that may find the position for this directive.
    let devices: Set<Int>
  }

  /// A rule that reads facts of one device, or zones, or that watches a zone.
  struct Reader: Sendable {
    /// The index of the rule in the image.
    let rule: Int
    /// The facts that the rule reads from the device, or the facts of its zones. They are indexes in the
    /// image that evaluates the rule. Empty for a watch.
    let facts: [Int]
    /// The limited devices of the rule, except the device that it reads and the other devices of this
    /// device's ladder. For circular zones, the list contains positioning devices only if they are in
    /// `limitedProviders`. The rule has an effect only while one of these devices has a demand, or when
    /// `isUnconditional` is true.
    let targets: [Int]
    /// True when the rule can have an effect without any demand. Such a rule starts a demand, a service or
    /// transfers, or watches a zone. It can also change the state of a state machine, or have an act other
    /// than `flush` and `violation`.
    let isUnconditional: Bool
    /// True when the rule is evaluated once per demand, in a separate image.
    let isPerDemand: Bool
    /// The facts that the rule tests with `known` or `age`, of the devices that the rule reads. They are
    /// indexes in the vocabulary. These facts count as unknown. So a condition such as
    /// `known(gps.speed) and gps.speed > 5 m/s` causes no reading, and uses the values that other demands
    /// provide.
    let observed: Set<Int>
    /// The facts that a reading makes known and that the rule tests with `known` or `age`. They are indexes
    /// in the vocabulary. When these facts decide the rule as soon as they are known, the values that the
    /// rule reads have no effect, as in `known(gps.speed) or gps.speed > 5 m/s`. Then there is no reading.
    var testedWhenRead: Set<Int> = []
    /// The facts `on` and `powered` of the sensor, if the rule uses them. Both state that the sensor is on,
    /// and have the same effect.
    var onFacts: [Int] = []
    /// The fact with the power state of the sensor, as an index in the vocabulary. Nil when the rule does not
    /// use the fact. While the sensor works, the fact has one of the values in `workingStates`.
    var stateFact: Int?
    /// The indexes of the states of a sensor that works.
    var workingStates: [Int] = []
    /// The sensor, if the rule tests it with `demanded`. A reading is a demand, so the test is true while the
    /// sensor works.
    var testedDemand: DeviceID?
    /// The facts that the rule tests and that the reading itself can change. They are indexes in the
    /// vocabulary.
    var changedByReading: Set<Int> {
      observed.union(onFacts).union([stateFact].compactMap(\.self))
    }
    /// The positioning devices that a rule limits and that are among its `targets`. Only a reader of
    /// circular zones has them. When another rule reads such a device, the reading counts as a demand on the
    /// device. So the limiting rule has an effect. While this rule keeps the device off, other devices
    /// determine its zones.
    var limitedProviders: Set<Int> = []
    /// The devices that find no position for this reader. A rule that limits nothing but positioning devices
    /// does not turn these devices on.
    var barred: Set<Int> = []
    /// The directives of the rule that delay transfers of radios (`batch` and `defer`), by their indexes in
    /// the image. Empty for a per-demand rule.
    var delaying: [Int] = []
    /// The circular zone of each fact in `facts` that is about such a zone, by the fact's index.
    var circles: [Int: Circle] = [:]
    /// The directive of the rule that watches a zone; nil for a reader of facts.
    var watch: Watch?
  }

  /// The periods of a source whose facts change with a limited rate.
  struct PeriodRange: Hashable, Sendable {
    /// The period while a value is near a limit of a rule.
    let shortest: TimeSpan
    /// The period while each value is far from all limits.
    let longest: TimeSpan
  }

  /// A device and one sampling period, with the rules that read its facts, in the order of the policies.
  struct Source: Sendable {
    let device: Int
    /// The settings that the governor demands from the device. If `periods` is not nil, their period is the
    /// longest period of that range.
    let wants: DemandSettings
    /// The periods, when the distance to the limits determines the period; otherwise nil.
    let periods: PeriodRange?
    let readers: [Reader]
    /// How long a transfer waits for the first value of the source, when a reader would delay the transfer
    /// because of this value. Nil for a sensor that needs more than `longestWait` for its first value.
    let firstValueWait: TimeSpan?

    /// The longest wait of a transfer for a reading. A sensor must not stay on for long only because a
    /// transfer waits for it.
    static let longestWait = TimeSpan.seconds(10)
  }

  /// The sources, sorted by device and period.
  private(set) var sources: [Source] = []
  /// The rules that read circular zones, and the devices that can locate the host. Nil when there is no such
  /// rule or device.
  private(set) var places: Places?
  let needs: SensingNeeds?
  /// For each fact of the image: the power that is needed to keep the fact known, in nanowatts. The value is
  /// 0 for a fact that costs nothing.
  private(set) var prices: [Int64] = []
  /// The facts of sources with `periods`, by their indexes in the image. Each entry has the index in the
  /// vocabulary and the largest change per second.
  private(set) var paced: [Int: (number: Int, maxRate: Double)] = [:]
  /// For each fact of the vocabulary: true when a new value can change the needs of a reader.
  private var isWatched: ContiguousArray<Bool> = []
  /// By device index: the fact `powered`, for the devices for which a rule uses this fact.
  private(set) var poweredFacts: [Int: Int] = [:]
  /// The name of each reader's rule, by the rule's index in the image.
  private var names: [Int: RuleID] = [:]
  /// For each device that rules limit: the sensors that these rules read only while one of their limited
  /// devices has a demand.
  private var demandedSensors: [Int: Set<Int>] = [:]

  /// Creates an empty set of rules.
  init() { needs = nil }

  init(_ program: Program, _ vocabulary: Vocabulary, _ index: DirectiveIndex) {
    let needs = SensingNeeds(image: program.image)
    self.needs = needs
    let survey = ReaderSurvey(program, vocabulary, index, needs)
    sources = survey.sources
    places = survey.places
    guard !isEmpty else { return }
    prices = survey.prices(of: program.image.image)
    for (device, manifest) in vocabulary.manifests.enumerated() {
      if let fact = vocabulary.fact(manifest.poweredFact) { poweredFacts[device] = fact }
    }
    for fact in Set(sources.filter { $0.periods != nil }.flatMap(\.readers).flatMap(\.facts)) {
      let number = program.image.image.facts[fact].number
      paced[fact] = (number, vocabulary.facts[number].maxRate ?? .infinity)
    }
    isWatched = ContiguousArray(repeating: false, count: vocabulary.facts.count)
    for reader in sources.flatMap(\.readers) + (places?.readers ?? []) {
      names[reader.rule] = index.name(ofRule: reader.rule)
      for fact in needs.facts(readBy: reader.rule) {
        isWatched[program.image.image.facts[fact].number] = true
      }
    }
    if let activity = places?.activity { isWatched[activity] = true }
    for source in sources { require(demandsFor: [source.device], by: source.readers) }
    if let places { require(demandsFor: places.providers.map(\.device), by: places.readers) }
  }

  private mutating func require(demandsFor sensors: [Int], by readers: [Reader]) {
    for target in readers.filter({ !$0.isUnconditional }).flatMap(\.targets) {
      demandedSensors[target, default: []].formUnion(sensors)
    }
  }

  /// Returns sensors that rules read only while one of their limited devices has a demand. Only the rules
  /// that limit `device` are considered.
  func sensors(readForDemandsOn device: Int) -> Set<Int> { demandedSensors[device] ?? [] }

  var isEmpty: Bool { sources.isEmpty && places == nil }

  /// Returns the devices whose transfers these directives delay.
  func delayed(by directives: Set<Int>) -> [Int] {
    sources.flatMap(\.readers).filter { !directives.isDisjoint(with: $0.delaying) }.flatMap(\.targets)
  }

  /// Returns whether a change of a fact can change the needs of a reader.
  @inline(__always) func watches(_ fact: Int) -> Bool { fact < isWatched.count && isWatched[fact] }

  func name(of reader: Reader) -> RuleID { names[reader.rule] ?? .asAsked }
}
