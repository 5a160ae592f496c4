public import StintModel
public import StintUnits

/// Computes the facts about the motion of a device from the samples of its accelerometer.
public struct MotionObserver: Sendable {
  @usableFromInline var classifier: MotionClassifier
  @usableFromInline var shake: ShakeDetector?
  @usableFromInline var tilt: TiltDetector?

  /// Makes an observer for samples at a fixed `period`.
  public init(period: TimeSpan) {
    classifier = MotionClassifier(period: period)
    shake = ShakeDetector(periodInNanoseconds: period.nanoseconds)
    tilt = TiltDetector(periodInNanoseconds: period.nanoseconds)
  }

  /// The current activity; nil until it is known.
  @inlinable public var activity: Activity? { classifier.activity }

  /// Adds a sample, in m/s² and with gravity. Returns true when the activity changed, or when a shake or a
  /// tilt began or ended.
  @inlinable
  public mutating func add(_ sample: SIMD3<Double>) -> Bool {
    var hasChanged = classifier.add(sample)
    if shake?.add(sample) ?? false { hasChanged = true }
    if tilt?.add(sample) ?? false { hasChanged = true }
    return hasChanged
  }

  /// Measures the present values of the facts. The confidence is measured now, and rounded to a hundredth.
  public mutating func report() -> MotionReport {
    MotionReport(
      activity: activity,
      confidence: activity.map { _ in (classifier.measureConfidence() * 100).rounded() / 100 },
      isShaking: shake?.isShaking, isTilting: tilt?.isTilting)
  }
}

/// The values of the facts that an accelerometer publishes about its motion.
public struct MotionReport: Hashable, Sendable {
  /// The activity; nil when it is unknown.
  public var activity: Activity?
  /// The agreement of the motion with the activity, from 0 to 1; nil when it is unknown.
  public var confidence: Double?
  /// Whether the device is shaken; nil when the samples are too rare.
  public var isShaking: Bool?
  /// Whether the device is being tilted; nil when the samples are too rare.
  public var isTilting: Bool?

  /// Makes a report; a value that is left out is unknown.
  public init(
    activity: Activity? = nil, confidence: Double? = nil, isShaking: Bool? = nil, isTilting: Bool? = nil
  ) {
    self.activity = activity
    self.confidence = confidence
    self.isShaking = isShaking
    self.isTilting = isTilting
  }
}

/// The facts about motion in the manifest of an accelerometer. A manifest may lack each of these facts.
public struct MotionFacts: Sendable {
  private let activity: FactHandle
  private let confidence: FactHandle
  private let shaking: FactHandle
  private let tilting: FactHandle
  private var last = MotionReport()

  /// Finds the facts in the manifest of a device.
  public init(_ port: DevicePort) {
    activity = port.handle("motion.activity")
    confidence = port.handle("motion.confidence")
    shaking = port.handle("motion.shaking")
    tilting = port.handle("motion.tilting")
  }

  /// Publishes the values of a report. A value that has become unknown is withdrawn.
  public mutating func publish(_ report: MotionReport, through port: DevicePort, at instant: Instant) {
    func publish(_ fact: FactHandle, _ value: FactValue?, isWithdrawn: Bool) {
      guard fact.index >= 0, value != nil || isWithdrawn else { return }
      port.publish(fact, value ?? .unknown, at: instant)
    }
    let word = report.activity.flatMap { Activity.allCases.firstIndex(of: $0) }
    publish(activity, word.map { .symbol($0) }, isWithdrawn: last.activity != nil)
    publish(confidence, report.confidence.map { .number($0) }, isWithdrawn: last.confidence != nil)
    publish(shaking, report.isShaking.map { .boolean($0) }, isWithdrawn: last.isShaking != nil)
    publish(tilting, report.isTilting.map { .boolean($0) }, isWithdrawn: last.isTilting != nil)
    last = report
  }
}
