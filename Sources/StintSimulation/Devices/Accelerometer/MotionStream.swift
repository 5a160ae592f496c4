import StintModel
import StintPluginKit
import StintTracks
import StintUnits

/// The samples of an accelerometer, one per period, with the observer that evaluates them.
///
/// This is the inner loop of a simulated day: at 50 Hz, it runs 50 times per simulated second. For speed,
/// `run` itself publishes nothing; it returns at each sample after which the caller must publish something.
struct MotionStream {
  /// The reason why a run ended.
  struct Pause {
    /// The instant of the last sample of the run.
    var instant: Instant
    /// The facts to publish, because one has changed or `refresh` has passed; nil when there is nothing to
    /// publish.
    var report: MotionReport?
    /// Whether the FIFO became full while deliveries were held.
    var isFull: Bool
  }

  private let dropout: DropoutFault
  private let refresh: TimeSpan
  private var view: any WorldView
  private var synthesizer: MotionSynthesizer
  /// The recording that replaces the synthesized motion; nil for synthesized motion.
  private var recorded: RecordedMotion?
  private var observer = MotionObserver(period: .seconds(1))
  private var gait = Gait.of(.still)
  /// The instant until which the gait is valid. At that instant the world is read again.
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

  /// Starts sampling, with the first sample after one period, and resets the observer.
  mutating func begin(period: TimeSpan, at instant: Instant) {
    self.period = period
    observer = MotionObserver(period: period)
    lastReport = nil
    next = instant + period
  }

  /// Stops sampling.
  mutating func end() { next = .distantFuture }

  /// Takes samples before `limit`, or up to the first sample after which the caller must publish something.
  mutating func run(to limit: Instant, holding: Bool) -> Pause {
    log.reserve(Int((limit - next).nanoseconds / period.nanoseconds) + 1)
    var instant = next
    while next < limit {
      instant = next
      next = instant + period
      if dropout.isActive(at: instant) { continue }
      let value = measure(at: instant)
      log.append(at: instant, value.x, value.y, value.z, 0)
      let changed = observer.add(value)
      let isFull = holding && log.isFull
      if changed || observer.activity != nil && isStale(at: instant) {
        lastReport = instant
        return Pause(instant: instant, report: observer.report(), isFull: isFull)
      }
      if isFull { return Pause(instant: instant, report: nil, isFull: true) }
    }
    return Pause(instant: instant, report: nil, isFull: false)
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

/// A recording that is sampled at any rate: each sample equals the last row that was recorded at or before
/// the instant of the sample.
///
/// Before the time of the first row, each sample equals the first row. After the last row, the phone lies
/// still, face up.
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
    // The first row exists, because the recording was checked completely before.
    row = try points() ?? MotionPoint(time: .zero, x: 0, y: 0, z: 0)
    following = try points()
  }

  /// Returns the acceleration at an instant. The instants of successive calls must not decrease.
  mutating func sample(at instant: Instant) -> SIMD3<Double> {
    let time = instant - start
    while let next = following, next.time <= time {
      row = next
      following = nextRow()
    }
    guard following != nil || time <= row.time else { return Self.rest }
    return SIMD3(row.x, row.y, row.z)
  }

  /// Returns the next row; nil at the end or after a read error.
  private mutating func nextRow() -> MotionPoint? {
    guard let points else { return nil }
    do {
      if let point = try points() { return point }
    } catch {
      // The recording was read completely before the run, so the file has changed since then. The rows that
      // were read before the error remain in use.
    }
    self.points = nil
    return nil
  }
}
