import StintFormats
import StintModel
import StintPluginKit
import StintUnits

/// The samples of an accelerometer, one period after the other, with the classifier that watches them.
///
/// This is the inner loop of a simulated day: fifty times a second, so it says nothing itself but stops where
/// something is to be said.
struct MotionStream {
  /// Why a run ended.
  struct Pause {
    /// The last instant that was run through.
    var instant: Instant
    /// The activity to report; nil when it has not changed.
    var activity: Activity?
    var isFull: Bool
  }

  private let dropout: DropoutFault
  private let refresh: TimeSpan
  private var view: any WorldView
  private var synthesizer: MotionSynthesizer
  /// The recording that replaces the synthesized motion; nil without one.
  private var recorded: RecordedMotion?
  private var classifier = MotionClassifier(period: .seconds(1))
  private var gait = Gait.of(.still)
  /// Until when the world stays as it is; then it is looked at again.
  private var gaitEnds = Instant(nanoseconds: .min)
  private var lastReport: Instant?
  private(set) var period = TimeSpan.seconds(1)
  /// The instant of the next sample.
  private(set) var next = Instant.distantFuture
  var log: SampleLog

  init(_ setup: DeviceSetup) {
    dropout = setup.dropout
    refresh = setup.span("refresh")
    view = setup.view
    synthesizer = MotionSynthesizer(setup.noise)
    recorded = setup.recorded
    log = SampleLog(setup.manifest)
  }

  /// Samples from now on, the first one period later; what was believed before is forgotten.
  mutating func begin(period: TimeSpan, at instant: Instant) {
    self.period = period
    classifier = MotionClassifier(period: period)
    lastReport = nil
    next = instant + period
  }

  /// Samples no more.
  mutating func end() { next = .distantFuture }

  /// Takes samples up to a limit, not included, or to the first one after which something is to be said.
  mutating func run(to limit: Instant, holding: Bool) -> Pause {
    log.reserve(Int((limit - next).nanoseconds / period.nanoseconds) + 1)
    var instant = next
    while next < limit {
      instant = next
      next = instant + period
      if dropout.isActive(at: instant) { continue }
      let value = measure(at: instant)
      log.append(at: instant, value.x, value.y, value.z, 0)
      let changed = classifier.add(value)
      let isFull = holding && log.isFull
      if let activity = classifier.activity, changed || isStale(at: instant) {
        lastReport = instant
        return Pause(instant: instant, activity: activity, isFull: isFull)
      }
      if isFull { return Pause(instant: instant, activity: nil, isFull: true) }
    }
    return Pause(instant: instant, activity: nil, isFull: false)
  }

  @inline(__always)
  private func isStale(at instant: Instant) -> Bool {
    guard let lastReport else { return true }
    return instant - lastReport >= refresh
  }

  @inline(__always)
  private mutating func measure(at instant: Instant) -> SIMD3<Double> {
    if recorded != nil { return recorded?.sample(at: instant) ?? .zero }
    if instant >= gaitEnds { updateGait(at: instant) }
    return synthesizer.sample(gait, at: instant)
  }

  private mutating func updateGait(at instant: Instant) {
    gait = Gait.of(view.state(at: instant).activity)
    gaitEnds = view.nextCoverageChange(after: instant) ?? .distantFuture
  }
}

/// Measures a recording again, at whatever rate is asked for: at each instant what the recorder measured last.
///
/// Before the first row it is that row; after the last one the phone lies still, face up.
struct RecordedMotion {
  private static let rest = SIMD3(0, 0, 9.80665)

  private let start: Instant
  private var points: MotionRecording.Points?
  private var row: MotionPoint
  private var following: MotionPoint?

  /// Opens the recording; its time 0 is `start`.
  init(_ recording: MotionRecording, start: Instant) throws(Problem) {
    self.start = start
    let points = try recording.points()
    self.points = points
    // There is a row: the recording was read through.
    row = try points() ?? MotionPoint(time: .zero, x: 0, y: 0, z: 0)
    following = try points()
  }

  /// The acceleration at an instant that is not before any that was asked for earlier.
  mutating func sample(at instant: Instant) -> SIMD3<Double> {
    let time = instant - start
    while let next = following, next.time <= time {
      row = next
      following = nextRow()
    }
    guard following != nil || time <= row.time else { return Self.rest }
    return SIMD3(row.x, row.y, row.z)
  }

  /// The next row; the recording ends where it can be read no further, for it was read through before.
  private mutating func nextRow() -> MotionPoint? {
    guard let points else { return nil }
    do {
      if let point = try points() { return point }
    } catch {
      // The file changed since it was read through: what came up to here is what there is.
    }
    self.points = nil
    return nil
  }
}
