public import StintModel
public import StintUnits

/// An estimator of the position validity of one device, from its facts.
///
/// The value is the number of seconds for which the device is expected to stay within the bound of its last
/// delivered position.
public struct PositionValidityEstimator: Estimator {
  /// The index of the device in the vocabulary.
  public let device: Int
  private let latitude: Int
  private let longitude: Int
  private let accuracy: Int
  private let speed: Int
  private let activity: Int?
  /// The names of activities, by symbol index.
  private let words: [String]
  /// The constants with which conditions compare the value, in seconds.
  private var limits: [Double]
  private var validity: PositionValidity
  /// The publication instant of the last read position.
  private var seenAt = Instant(nanoseconds: .min)
  /// The symbol index of the last read activity.
  private var lastActivity: Int?

  /// Makes the estimator of a device of `vocabulary`. `limits` are the constants with which conditions
  /// compare the value, in seconds.
  ///
  /// - Parameter bound: the allowed distance of the device from the delivered position, in metres.
  /// - Returns: nil when the device does not publish position, accuracy and speed.
  public init?(_ device: DeviceID, bound: Double, limits: [Double], in vocabulary: Vocabulary) {
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
    validity = PositionValidity(bound: bound, lead: lead)
  }

  public var facts: [Int] { [longitude] + (activity.map { [$0] } ?? []) }

  public func continuing(_ former: PositionValidityEstimator) -> PositionValidityEstimator {
    guard former.facts == facts, former.validity.bound == validity.bound else { return self }
    var estimator = former
    estimator.limits = limits
    return estimator
  }

  public mutating func read(_ facts: FactTable, isOn: Bool, at now: Instant) {
    validity.noteSwitch(on: isOn, at: now)
    if let activity, case .symbol(let word) = facts.value(activity), word != lastActivity {
      lastActivity = word
      validity.noteMotion(words.indices.contains(word) ? Activity(rawValue: words[word]) : nil, at: now)
    }
    let publishedAt = facts.instant(longitude)
    guard publishedAt > seenAt, case .number(let north) = facts.value(latitude),
      case .number(let east) = facts.value(longitude),
      let place = Coordinate(latitude: north, longitude: east)
    else { return }
    seenAt = publishedAt
    let radius = if case .number(let metres) = facts.value(accuracy) { metres } else { 0.0 }
    let pace = if case .number(let metres) = facts.value(speed) { metres } else { 0.0 }
    validity.noteFix(place, speed: pace, radius: radius, at: now)
  }

  public mutating func delivers(at now: Instant) { validity.delivers(at: now) }

  public func value(at now: Instant) -> FactValue { validity.value(at: now).map { .number($0) } ?? .unknown }

  public func next(after now: Instant) -> Instant {
    guard validity.value(at: now) != nil else { return .distantFuture }
    var next = Instant.distantFuture
    for limit in limits {
      guard let span = TimeSpan(seconds: limit) else { continue }
      let crossing = validity.end - span
      for instant in [crossing, crossing + TimeSpan(nanoseconds: 1)] where instant > now {
        next = min(next, instant)
      }
    }
    return next
  }
}
