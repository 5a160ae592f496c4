import StintMachine
import StintModel
import StintUnits

/// Lookup tables of a program's image and defaults: by device, by directive, and by rule.
///
/// The tables are built when policies are prepared, so that no step searches by name.
struct DirectiveIndex: Sendable {
  /// The effect of a directive on demands, without strings, which are expensive to copy.
  enum Limit: Sendable {
    case stop
    case pause
    case limitAccuracy(Double)
    case slow(TimeSpan)
    case limitAttributes(AttributeValues)
    case batch
    case postpone(TimeSpan?)
    case stopService
  }

  /// A directive that limits demands on a device.
  struct Entry: Sendable {
    /// The index of the directive in the image.
    var directive: Int
    var limit: Limit
    /// True when the directive has an `except` list.
    var hasExceptions: Bool
  }

  /// For each device: the directives that name it as a target.
  private(set) var reaching: [[Int]]
  /// For each device: the directives that limit its demands.
  private(set) var limits: [[Entry]]
  /// For each device: the directives that defer its demands up to a deadline, each with this deadline.
  private(set) var postponing: [[(directive: Int, deadline: TimeSpan)]]
  /// For each device: the defaults that policies specify outside rules; nil without defaults.
  private(set) var defaults: [DeviceDefaults?]
  /// For each directive: the devices that it names as targets.
  private(set) var targets: [[Int]] = []
  /// For each directive: true when it raises demands.
  private(set) var isStart: [Bool] = []
  /// For each directive: true when it watches a zone.
  private(set) var isWatch: [Bool] = []
  /// The directives that run a service.
  private(set) var services: [Int] = []
  /// For each rule: the target devices of its directives.
  private(set) var reach: [[Int]] = []
  /// For each rule: true when it has no directives. The use of such a rule is counted when the rule acts.
  private(set) var hasNoDirectives: [Bool] = []
  /// The names of all rules, sorted and without duplicates. The index of a name is its rank.
  private(set) var names: [RuleID] = []
  /// For each rule, and for each directive: the rank of the rule's name.
  private(set) var ranks: [Int] = []
  private var directiveRanks: [Int] = []
  private var ruleIndexes: [RuleID: Int] = [:]

  /// Creates empty tables.
  init(devices: Int) {
    reaching = Array(repeating: [], count: devices)
    limits = Array(repeating: [], count: devices)
    postponing = Array(repeating: [], count: devices)
    defaults = Array(repeating: nil, count: devices)
  }

  /// Builds the tables of a program.
  ///
  /// - Precondition: the program fits the devices.
  init(_ program: Program, _ vocabulary: Vocabulary) {
    self.init(devices: vocabulary.manifests.count)
    let image = program.image.image
    for entry in program.defaults {
      if let device = vocabulary.device(entry.device) { defaults[device] = entry }
    }
    names = Self.names(of: image)
    let rank = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    ranks = image.rules.map { rank[$0.id] ?? 0 }
    for (number, entry) in image.directives.enumerated() {
      let devices = entry.directive.targets.compactMap { vocabulary.device($0) }
      targets.append(devices)
      directiveRanks.append(rank[entry.directive.rule] ?? 0)
      if case .start = entry.directive.action { isStart.append(true) } else { isStart.append(false) }
      if case .locate = entry.directive.action { isWatch.append(true) } else { isWatch.append(false) }
      switch entry.directive.action {
      case .serve, .resume: services.append(number)
      default: break
      }
      for device in devices { add(number, entry.directive, to: device) }
    }
    hasNoDirectives = image.rules.map(\.directives.isEmpty)
    ruleIndexes = Dictionary(
      image.rules.enumerated().map { ($0.element.id, $0.offset) }
    ) { first, _ in first }
    reach = image.rules.map { rule in Set(rule.directives.flatMap { targets[$0] }).sorted() }
  }

  /// Returns the names of all rules of an image, sorted and without duplicates.
  static func names(of image: Image) -> [RuleID] {
    Set(image.rules.map(\.id) + image.directives.map(\.directive.rule)).sorted()
  }

  private mutating func add(_ number: Int, _ directive: Directive, to device: Int) {
    reaching[device].append(number)
    if case .postpone(let deadline?) = directive.action {
      postponing[device].append((number, deadline))
    }
    guard let limit = Limit(directive.action) else { return }
    limits[device].append(
      Entry(directive: number, limit: limit, hasExceptions: !directive.exceptions.isEmpty))
  }

  /// Returns the index in the image of the first rule with this name; nil when no rule has this name.
  func number(of rule: RuleID) -> Int? { ruleIndexes[rule] }

  /// Returns the name of a rule, given its index in the image.
  func name(ofRule number: Int) -> RuleID { names[ranks[number]] }

  /// Returns the rank of the name of a directive's rule.
  func rank(ofDirective number: Int) -> Int { directiveRanks[number] }
}

extension DirectiveIndex.Limit {
  /// Creates the limit of an action; nil for an action that does not limit demands.
  fileprivate init?(_ action: Directive.Action) {
    switch action {
    case .start, .locate, .serve, .resume: return nil
    case .stop: self = .stop
    case .pause: self = .pause
    case .limitAccuracy(let metres): self = .limitAccuracy(metres)
    case .slow(let period): self = .slow(period)
    case .limitAttributes(let values): self = .limitAttributes(values)
    case .batch: self = .batch
    case .postpone(let deadline): self = .postpone(deadline)
    case .stopService: self = .stopService
    }
  }
}
