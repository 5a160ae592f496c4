import StintMachine
import StintModel
import StintUnits

/// The directive index says of an image and its defaults what steps look up: by device, by directive, and by rule.
///
/// Made when policies are prepared, so that no step searches by name.
struct DirectiveIndex: Sendable {
  /// What a directive does to the demands that it reaches, without texts, which are costly to copy.
  enum Limit: Sendable {
    case stop
    case pause
    case coarsen(Double)
    case slow(TimeSpan)
    case batch
    case postpone(TimeSpan?)
    case bar
  }

  /// A directive that limits demands on a device.
  struct Entry: Sendable {
    var directive: Int
    var limit: Limit
    /// Whether `except` leaves any client alone.
    var hasExceptions: Bool
  }

  /// By device: the directives that reach it.
  private(set) var reaching: [[Int]]
  /// By device: of these, those that limit its demands.
  private(set) var limits: [[Entry]]
  /// By device: those that put demands off for a time of their own.
  private(set) var postponing: [[(directive: Int, deadline: TimeSpan)]]
  /// By device: what policies say of it beside rules.
  private(set) var defaults: [DeviceDefaults?]
  /// By directive: the devices that it reaches.
  private(set) var targets: [[Int]] = []
  /// By directive: whether it raises demands.
  private(set) var isStart: [Bool] = []
  /// The directives that have a service run.
  private(set) var services: [Int] = []
  /// By rule: the devices that its directives reach.
  private(set) var reach: [[Int]] = []
  /// By rule: whether it only acts, and never holds for a while.
  private(set) var isEdge: [Bool] = []
  /// The names of all rules, sorted, each once; a place among them is a rank.
  private(set) var names: [RuleID] = []
  /// By rule and by directive: the rank of its name.
  private(set) var ranks: [Int] = []
  private var directiveRanks: [Int] = []
  private var numbers: [RuleID: Int] = [:]

  /// The index of no policies.
  init(devices: Int) {
    reaching = Array(repeating: [], count: devices)
    limits = Array(repeating: [], count: devices)
    postponing = Array(repeating: [], count: devices)
    defaults = Array(repeating: nil, count: devices)
  }

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
      switch entry.directive.action {
      case .serve, .resume: services.append(number)
      default: break
      }
      for device in devices { add(number, entry.directive, to: device) }
    }
    isEdge = image.rules.map(\.directives.isEmpty)
    numbers = Dictionary(image.rules.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    reach = image.rules.map { rule in Set(rule.directives.flatMap { targets[$0] }).sorted() }
  }

  /// The names of all rules of an image, sorted, each once.
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

  /// The index in the image of the first rule of this name.
  func number(of rule: RuleID) -> Int? { numbers[rule] }

  /// The name of a rule by its index in the image.
  func name(ofRule number: Int) -> RuleID { names[ranks[number]] }

  /// The rank of the name of a directive's rule.
  func rank(ofDirective number: Int) -> Int { directiveRanks[number] }
}

extension DirectiveIndex.Limit {
  /// What an action does to demands; nil for one that limits none.
  fileprivate init?(_ action: Directive.Action) {
    switch action {
    case .start, .serve, .resume: return nil
    case .stop: self = .stop
    case .pause: self = .pause
    case .coarsen(let metres): self = .coarsen(metres)
    case .slow(let period): self = .slow(period)
    case .batch: self = .batch
    case .postpone(let deadline): self = .postpone(deadline)
    case .bar: self = .bar
    }
  }
}
