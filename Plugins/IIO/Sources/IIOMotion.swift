import StintModel
import StintPluginKit
import StintUnits

/// Publishes the motion activity, which is classified from the acceleration samples.
struct IIOMotion {
  /// The longest sample period for which the classifier works.
  private static let longestPeriod = TimeSpan.milliseconds(1100)

  private let port: DevicePort
  private let fact: FactHandle
  /// The time after which an unchanged activity is published again.
  private let refresh: TimeSpan
  private var classifier: MotionClassifier?
  private var lastReport: (activity: Activity, at: Instant)?

  init(_ port: DevicePort) {
    self.port = port
    fact = port.handle("motion.activity")
    refresh = port.manifest.figures["refresh"]?.timeSpan ?? .seconds(30)
  }

  /// Starts to classify samples with this `period`.
  mutating func begin(period: TimeSpan, at now: Instant) {
    classifier = period <= Self.longestPeriod ? MotionClassifier(period: period) : nil
    if classifier == nil { forget(at: now) }
  }

  /// Stops the classification. The published activity then becomes stale after the manifest's maximum age.
  mutating func end() { classifier = nil }

  /// Stops the classification. Publishes an unknown activity if an activity was published.
  mutating func forget(at now: Instant) {
    classifier = nil
    guard lastReport != nil else { return }
    lastReport = nil
    port.publish(fact, .unknown, at: now)
  }

  mutating func add(_ values: SIMD3<Double>) { _ = classifier?.add(values) }

  /// Publishes the activity when it has changed, or when `refresh` has passed since its last publication.
  mutating func publishActivity(at now: Instant) {
    guard let activity = classifier?.activity, let word = Activity.allCases.firstIndex(of: activity) else {
      return
    }
    if let lastReport, lastReport.activity == activity, now - lastReport.at < refresh { return }
    lastReport = (activity, now)
    port.publish(fact, .symbol(word), at: now)
  }
}
