import StintModel
import StintUnits

/// A respite with the facts that it is worked out of.
struct RespiteRecord: Sendable {
  let device: Int
  private let latitude: Int
  private let longitude: Int
  private let accuracy: Int
  private let speed: Int
  private let activity: Int?
  private let words: [String]
  /// Seconds that conditions compare it with.
  private var limits: [Double]
  private var respite: Respite
  /// When the position was taken that it has seen last, and what it was told last of how it moves.
  private var seenAt = Instant(nanoseconds: .min)
  private var moves: Int?

  /// Nil where the device says too little.
  init?(_ device: DeviceID, bound: Double, limits: [Double], in vocabulary: Vocabulary) {
    guard let number = vocabulary.device(device), let latitude = vocabulary.fact(device.path + ".latitude"),
      let longitude = vocabulary.fact(device.path + ".longitude"),
      let accuracy = vocabulary.fact(device.path + ".accuracy"),
      let speed = vocabulary.fact(device.path + ".speed")
    else { return nil }
    self.device = number
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.speed = speed
    self.limits = limits
    activity = vocabulary.fact("motion.activity")
    words = if case .symbol(let words)? = vocabulary.schema("motion.activity")?.type { words } else { [] }
    let lead = vocabulary.manifests[number].figures["hot_fix"]?.timeSpan?.seconds ?? 0
    respite = Respite(bound: bound, lead: lead)
  }

  /// The facts that change it.
  var facts: [Int] { [longitude] + (activity.map { [$0] } ?? []) }

  /// The same with the limits of other conditions, going on from what was known.
  func going(on old: RespiteRecord?) -> RespiteRecord {
    guard let old, old.facts == facts, old.respite.bound == respite.bound else { return self }
    var record = old
    record.limits = limits
    return record
  }

  /// Takes in what is new of what it is worked out of.
  mutating func read(_ facts: FactTable, isOn: Bool, at now: Instant) {
    respite.isSwitched(on: isOn, at: now)
    if let activity, case .symbol(let word) = facts.value(activity), word != moves {
      moves = word
      respite.moves(words.indices.contains(word) ? Activity(rawValue: words[word]) : nil, at: now)
    }
    let taken = facts.instant(longitude)
    guard taken > seenAt, case .number(let north) = facts.value(latitude),
      case .number(let east) = facts.value(longitude),
      let place = Coordinate(latitude: north, longitude: east)
    else { return }
    seenAt = taken
    let radius = if case .number(let metres) = facts.value(accuracy) { metres } else { 0.0 }
    let pace = if case .number(let metres) = facts.value(speed) { metres } else { 0.0 }
    respite.sees(place, speed: pace, radius: radius, at: now)
  }

  /// What was seen last was handed over.
  mutating func handsOver(at now: Instant) { respite.handsOver(at: now) }

  func value(at now: Instant) -> FactValue { respite.value(at: now).map { .number($0) } ?? .unknown }

  /// The next instant at which it passes a limit.
  func next(after now: Instant) -> Instant {
    guard respite.value(at: now) != nil else { return .distantFuture }
    var next = Instant.distantFuture
    for limit in limits {
      guard let span = TimeSpan(seconds: limit) else { continue }
      let meets = respite.due - span
      for instant in [meets, meets + TimeSpan(nanoseconds: 1)] where instant > now {
        next = min(next, instant)
      }
    }
    return next
  }
}
