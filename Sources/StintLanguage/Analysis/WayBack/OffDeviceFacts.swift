import StintModel
import StintUnits

/// The facts that can still change while some devices are off.
///
/// A sensor that is off publishes nothing: its facts keep their values, or become unknown if they have a
/// `max_age`. A radio publishes even when it is off, because it still listens at low power. Sources are
/// never off.
struct OffDeviceFacts {
  let vocabulary: Vocabulary
  /// The devices that are off.
  var devices: Set<DeviceID>
  /// The states that each listed state machine can still have, by the path of its fact. A machine that is not
  /// listed can have any state.
  var states: [String: Set<Int>] = [:]

  /// True when the devices may have been off since the start. The facts of such devices were never published
  /// and have no age.
  var mayBeOffSinceStart = true

  /// The behaviour of a leaf while the devices are off.
  enum LeafBehavior {
    /// The leaf can take any of these values.
    case canBecome([Double])
    /// The leaf keeps one of these values.
    case fixed([Double])
  }

  /// Returns true when the fact comes from a sensor that is off, or is computed from such a fact.
  func isFromOffDevice(_ path: String) -> Bool {
    if let input = computed(path)?.sensedInput { return isFromOffDevice(input.path) }
    guard let device = vocabulary.schema(path)?.device, devices.contains(device) else { return false }
    return vocabulary.manifest(device)?.kind == .sensor
  }

  private func computed(_ path: String) -> ComputedFact? {
    vocabulary.computed.first { $0.schema.path == path }
  }

  /// Returns true when the fact becomes unknown some time after its sensor is turned off.
  private func expires(_ path: String) -> Bool {
    vocabulary.schema(path)?.maxAge != nil || computed(path)?.sensedInput != nil
  }

  /// Returns the values that a fact about a zone can still take while the devices are off. Nil when these
  /// devices do not limit the values, and for other facts.
  ///
  /// The function uses `Manifest.decides(_:)`, which compares accuracies with
  /// `Zone.accuracyToDecide(circleOf:)`. The governor uses the same limit. A coarse provider can show that
  /// the phone is outside a circle, but never that it is inside.
  private func zoneBehavior(_ path: String, cells: [Double]) -> LeafBehavior? {
    guard let fact = computed(path), case .zone(let zone, let question) = fact.source
    else { return nil }
    if let beacon = zone.beaconFact { return isFromOffDevice(beacon) ? .fixed([.nan]) : nil }
    let providers = vocabulary.manifests.filter { vocabulary.fact("\($0.device.path).latitude") != nil }
    guard !providers.isEmpty else { return nil }
    let usable = providers.filter { !isFromOffDevice("\($0.device.path).latitude") }
    if usable.isEmpty { return .fixed([.nan]) }
    if usable.contains(where: { $0.decides(zone) }) { return nil }
    return question == .exit ? nil : .canBecome(cells.filter { $0 != 1 })
  }

  /// Returns true when the sensors that are off limit the possible values of a fact about a zone.
  func isLimited(_ path: String) -> Bool { zoneBehavior(path, cells: [0, 1]) != nil }

  func isOfClient(_ path: String) -> Bool {
    vocabulary.fact(path).map { $0 >= vocabulary.firstComputed } == true
      && vocabulary.computed.contains { $0.isOfClient && $0.schema.path == path }
  }

  func behavior(of leaf: Leaf, cells: [Double], schedules: [String: [CheckedSchedule]]) -> LeafBehavior {
    switch leaf {
    case .fact(let path): return behavior(ofFact: path, cells: cells)
    case .age(let path):
      guard isFromOffDevice(path) else { return .canBecome(cells) }
      // The last two cells are an age above every limit, and an unknown age.
      return .fixed(Array(mayBeOffSinceStart ? cells.suffix(2) : cells.suffix(2).prefix(1)))
    case .window(let function, let path, _):
      guard isFromOffDevice(path) else { return .canBecome(cells) }
      return .fixed(function == .count || function == .rate ? [0] : [.nan])
    // Assume a demand on each device that is off, because such a device is a problem only while it has a
    // demand.
    case .demanded(let device): return devices.contains(device) ? .fixed([1]) : .canBecome(cells)
    case .schedule(let policy, let index):
      guard let list = schedules[policy], list.indices.contains(index) else { return .canBecome(cells) }
      return list[index].constantTruth.map { .fixed([$0 ? 1 : 0]) } ?? .canBecome(cells)
    case .memory(let expression):
      return expression.facts.allSatisfy(isFromOffDevice) ? .fixed(cells) : .canBecome(cells)
    case .outcome(let expression): return behavior(ofOutcome: expression)
    }
  }

  private func behavior(ofFact path: String, cells: [Double]) -> LeafBehavior {
    guard let schema = vocabulary.schema(path) else { return .fixed([.nan]) }
    if let states = states[path] { return .canBecome(states.sorted().map(Double.init)) }
    if let behavior = zoneBehavior(path, cells: cells) { return behavior }
    if let device = schema.device, let manifest = vocabulary.manifest(device), manifest.kind != .source {
      let isOff = devices.contains(device)
      switch path {
      case device.path + ".on": return isOff ? .fixed([0]) : .canBecome([0, 1])
      case device.path + ".state":
        let floor = manifest.states.indices.filter { !manifest.states[$0].isOn }.map(Double.init)
        return isOff ? .fixed(floor) : .canBecome(cells.filter { !$0.isNaN })
      case device.path + ".available": return isOff ? .fixed([1]) : .canBecome([0, 1])
      default: break
      }
    }
    // The request of a client does not change while its demand exists.
    if isOfClient(path) { return .fixed(cells) }
    if isFromOffDevice(path) { return .fixed(expires(path) ? [.nan] : cells) }
    // Without `max_age`, a known value never becomes unknown.
    return .canBecome(schema.maxAge == nil ? cells.filter { !$0.isNaN } : cells)
  }

  private func behavior(ofOutcome expression: CheckedExpression) -> LeafBehavior {
    if case .heldFor(let operand, _, _) = expression.kind, !canBe(operand, true) { return .fixed([0]) }
    let paths = expression.facts
    guard paths.allSatisfy(isFromOffDevice) else { return .canBecome([0, 1]) }
    var becomesUnknown = false
    expression.visit { part in
      if case .window = part.kind { becomesUnknown = true }
    }
    becomesUnknown = becomesUnknown || paths.contains(where: expires)
    return .fixed(becomesUnknown ? [.nan] : [0, 1, .nan])
  }
}

extension OffDeviceFacts {
  /// Returns false only when the states of the listed machines exclude this truth value of a condition.
  private func canBe(_ condition: CheckedExpression, _ truth: Bool) -> Bool {
    switch condition.kind {
    case .not(let operand): canBe(operand, !truth)
    case .and(let operands):
      truth ? operands.allSatisfy { canBe($0, true) } : operands.contains { canBe($0, false) }
    case .or(let operands):
      truth ? operands.contains { canBe($0, true) } : operands.allSatisfy { canBe($0, false) }
    case .oneOf(let fact, let values):
      fact.path.flatMap { states[$0] }.map { states in
        states.contains { values.contains(.symbol($0)) == truth }
      } ?? true
    default: true
    }
  }
}

extension CheckedSchedule {
  /// The value of the schedule when it never changes during the week; nil when it changes.
  var constantTruth: Bool? {
    guard !windows.isEmpty else { return false }
    let day: Int64 = 86_400_000_000_000
    var stretches: [(from: Int64, to: Int64)] = []
    for window in windows {
      for number in window.days.isEmpty ? Array(0..<7) : window.days {
        let from = Int64(number) * day + window.from.nanoseconds
        let length = window.to.nanoseconds - window.from.nanoseconds
        let to = from + (length > 0 ? length : length + day)
        stretches.append((from, min(to, 7 * day)))
        if to > 7 * day { stretches.append((0, to - 7 * day)) }
      }
    }
    stretches.sort { $0.from < $1.from }
    var covered: Int64 = 0
    for stretch in stretches where stretch.from <= covered { covered = max(covered, stretch.to) }
    return covered >= 7 * day ? true : nil
  }
}
