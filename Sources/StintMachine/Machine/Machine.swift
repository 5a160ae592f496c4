public import StintModel
public import StintUnits

/// Runs an image: facts go in one at a time, changed directives come out.
///
/// A value without clock or I/O. Only rules that depend on what changed are looked at, and nothing polls:
/// between
/// facts nothing happens before `nextTimer`.
public struct Machine: Sendable {
  public let image: Image
  let utcOffset: TimeSpan
  public internal(set) var now: Instant

  /// By number in the vocabulary: the place among the image's facts, or -1.
  let places: [Int32]
  /// What was published last; NaN is unknown.
  var values: [Double]
  var instants: [Instant]
  /// What is believed: NaN as well when it is too old.
  var believed: [Double]
  /// The first instant at which each value is too old.
  var staleAt: [Instant]
  var nextStale = Instant.distantFuture
  /// By fact: rules that read it, and rules that must also be looked at when it is published unchanged.
  let readers: [[Int]]
  let refreshed: [[Int]]
  let windows: [[Int]]
  var isDemanded: [Bool]
  let demandReaders: [[Int]]

  var slots: [SlotState]
  var rules: [RuleState]
  var runs: [RunState]
  var isDirty: [Bool]
  var hasDirty = true
  var stack: [Double]
  /// The rule whose code runs; timers are its.
  var current = 0

  /// The state of a rule.
  struct RuleState: Hashable, Sendable {
    var truth = Truth.no
    var isHeld = false
    var lastFired: Instant?
    var nextPeriod: Instant?
    /// When its code must be looked at although no fact changed.
    var timer = Instant.distantFuture
  }

  /// The state of a directive.
  struct RunState: Hashable, Sendable {
    var isInForce = false
    /// When it ends by itself.
    var end = Instant.distantFuture
    /// How often it has run since the last reset.
    var count = 0
    var lastEnd: Instant?
  }

  /// Makes a machine in which every fact is unknown; the first `settle` looks at every rule.
  public init(image: VerifiedImage, utcOffset: TimeSpan, at instant: Instant) {
    let image = image.image
    self.image = image
    self.utcOffset = utcOffset
    now = instant
    let count = (image.facts.map(\.number).max() ?? -1) + 1
    var places = [Int32](repeating: -1, count: count)
    for (place, fact) in image.facts.enumerated() { places[fact.number] = Int32(place) }
    self.places = places
    values = Array(repeating: .nan, count: image.facts.count)
    believed = values
    instants = Array(repeating: .epoch, count: image.facts.count)
    staleAt = Array(repeating: .distantFuture, count: image.facts.count)
    let dependencies = Dependencies(image)
    readers = dependencies.readers
    refreshed = dependencies.refreshed
    windows = dependencies.windows
    demandReaders = dependencies.demandReaders
    isDemanded = Array(repeating: false, count: image.devices.count)
    slots = image.slots.map { slot in
      guard case .window(_, _, _, let capacity) = slot.kind else { return SlotState() }
      return SlotState(window: SampleWindow(capacity: capacity))
    }
    rules = image.rules.map { rule in
      guard case .period(let period, _) = rule.trigger else { return RuleState() }
      return RuleState(nextPeriod: instant + period)
    }
    runs = Array(repeating: RunState(), count: image.directives.count)
    isDirty = Array(repeating: true, count: image.rules.count)
    stack = Array(repeating: 0, count: ImageVerifier.deepestStack + 1)
  }

  /// Publishes a fact by its number in the vocabulary; facts that no rule reads cost nothing.
  public mutating func set(fact: Int, _ value: FactValue, at instant: Instant) {
    guard fact < places.count, places[fact] >= 0 else { return }
    let place = Int(places[fact])
    let number = Self.number(value)
    values[place] = number
    instants[place] = instant
    if let maxAge = image.facts[place].maxAge, !number.isNaN {
      staleAt[place] = instant + maxAge + TimeSpan(nanoseconds: 1)
      nextStale = min(nextStale, staleAt[place])
    } else {
      staleAt[place] = .distantFuture
    }
    for slot in windows[place] where !number.isNaN { slots[slot].window.append(number, at: instant) }
    for rule in refreshed[place] { touch(rule) }
    if believed[place] != number, !(believed[place].isNaN && number.isNaN) {
      believed[place] = number
      for rule in readers[place] { touch(rule) }
    }
  }

  /// Says whether any demand on the device stands.
  public mutating func setDemanded(_ device: DeviceID, _ isDemanded: Bool) {
    guard let place = image.devices.firstIndex(of: device), self.isDemanded[place] != isDemanded else {
      return
    }
    self.isDemanded[place] = isDemanded
    for rule in demandReaders[place] { touch(rule) }
  }

  /// Says that the device did what was wanted of it: runs of doubling directives on it start over.
  public mutating func succeeded(device: DeviceID) {
    for (number, entry) in image.directives.enumerated()
    where runs[number].count > 0 && entry.directive.targets.contains(device) {
      runs[number].count = 0
    }
  }

  /// The next instant at which something may change although no fact does; nil when nothing would.
  public var nextTimer: Instant? {
    var next = nextStale
    for rule in rules {
      next = min(next, rule.timer)
      if let period = rule.nextPeriod { next = min(next, period) }
    }
    for run in runs where run.isInForce { next = min(next, run.end) }
    return next == .distantFuture ? nil : next
  }

  /// Whether the directive is in force.
  public func isInForce(directive: Int) -> Bool { runs[directive].isInForce }

  /// Whether the rule holds: its condition is true, or one of its edge directives is in force.
  public func isHeld(rule: Int) -> Bool { rules[rule].isHeld }

  /// What the rule's condition was when last looked at.
  public func truth(of rule: Int) -> Truth { rules[rule].truth }

  /// When the directive ends by itself; nil when it does not, or is not in force.
  public func end(of directive: Int) -> Instant? {
    runs[directive].isInForce && runs[directive].end != .distantFuture ? runs[directive].end : nil
  }

  /// Since when the operand of a `for` has been true, or when the operand of an `in last` was true last.
  public func since(slot: Int) -> Instant? { slots[slot].since }

  /// The statistic of a window as it was when last looked at; nil where it is unknown or the slot is no
  /// window.
  public func statistic(slot: Int) -> Double? {
    guard case .window(let function, _, let span, _) = image.slots[slot].kind else { return nil }
    let value = slots[slot].window.statistic(function, over: span)
    return value.isNaN ? nil : value
  }

  /// Whether a latch is closed.
  public func isClosed(slot: Int) -> Bool { slots[slot].isClosed }

  mutating func touch(_ rule: Int) {
    isDirty[rule] = true
    hasDirty = true
  }

  /// Facts as numbers: truths are 1 and 0, words their index, unknown NaN.
  static func number(_ value: FactValue) -> Double {
    switch value {
    case .unknown: .nan
    case .boolean(let truth): truth ? 1 : 0
    case .number(let number): number
    case .symbol(let index): Double(index)
    }
  }
}
