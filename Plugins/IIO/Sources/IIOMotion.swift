import StintModel
import StintPluginKit
import StintUnits

/// Publishes the facts about motion, which are computed from the acceleration samples.
struct IIOMotion {
  /// The longest sample period for which the classifier works.
  private static let longestPeriod = TimeSpan.milliseconds(1100)

  private let port: DevicePort
  private var facts: MotionFacts
  /// The time after which unchanged facts are published again.
  private let refresh: TimeSpan
  private var observer: MotionObserver?
  private var hasChanged = false
  private var lastReport: Instant?

  init(_ port: DevicePort) {
    self.port = port
    facts = MotionFacts(port)
    refresh = port.manifest.figures["refresh"]?.timeSpan ?? .seconds(30)
  }

  /// Starts to classify samples with this `period`.
  mutating func begin(period: TimeSpan, at now: Instant) {
    observer = period <= Self.longestPeriod ? MotionObserver(period: period) : nil
    if observer == nil { forget(at: now) }
  }

  /// Stops the classification. The published facts then become stale after the manifest's maximum age.
  mutating func end() { observer = nil }

  /// Stops the classification. Publishes unknown values if an activity was published.
  mutating func forget(at now: Instant) {
    observer = nil
    guard lastReport != nil else { return }
    lastReport = nil
    facts.publish(MotionReport(), through: port, at: now)
  }

  mutating func add(_ values: SIMD3<Double>) {
    if observer?.add(values) ?? false { hasChanged = true }
  }

  /// Publishes the facts when one has changed, or when `refresh` has passed since their last publication.
  mutating func publishActivity(at now: Instant) {
    guard let observer, hasChanged || observer.activity != nil else { return }
    if let lastReport, !hasChanged, now - lastReport < refresh { return }
    guard let report = self.observer?.report() else { return }
    (lastReport, hasChanged) = (now, false)
    facts.publish(report, through: port, at: now)
  }
}
