import StintModel
import StintPluginKit
import StintUnits

/// How the machine is carried, told from its acceleration: the fact beside the samples.
struct IIOMotion {
  /// Samples that are further apart than this tell nothing.
  private static let longestPeriod = TimeSpan.milliseconds(1100)

  private let port: DevicePort
  private let fact: FactHandle
  private let refresh: TimeSpan
  private var classifier: MotionClassifier?
  private var lastReport: (activity: Activity, at: Instant)?

  init(_ port: DevicePort) {
    self.port = port
    fact = port.handle("motion.activity")
    refresh = port.manifest.figures["refresh"]?.timeSpan ?? .seconds(30)
  }

  /// Samples come one `period` apart from now on.
  mutating func begin(period: TimeSpan, at now: Instant) {
    classifier = period <= Self.longestPeriod ? MotionClassifier(period: period) : nil
    if classifier == nil { forget(at: now) }
  }

  /// Samples come no more. What was believed grows old by itself, as its manifest says.
  mutating func end() { classifier = nil }

  /// The device has gone: nothing is known.
  mutating func forget(at now: Instant) {
    classifier = nil
    guard lastReport != nil else { return }
    lastReport = nil
    port.publish(fact, .unknown, at: now)
  }

  mutating func add(_ values: SIMD3<Double>) { _ = classifier?.add(values) }

  /// Says what is believed, when it is news or was said long ago.
  mutating func publishActivity(at now: Instant) {
    guard let activity = classifier?.activity, let word = Activity.allCases.firstIndex(of: activity) else {
      return
    }
    if let lastReport, lastReport.activity == activity, now - lastReport.at < refresh { return }
    lastReport = (activity, now)
    port.publish(fact, .symbol(word), at: now)
  }
}
