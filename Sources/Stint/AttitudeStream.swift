public import StintEstimation
public import StintModel
public import StintServices
import StintUnits

/// Computes the attitude of the phone from the samples of its motion services, in the order of their
/// instants.
///
/// The samples of each sensor arrive in order, but the samples of one sensor may arrive before earlier
/// samples of another sensor. Each sample waits until both the accelerometer and the gyroscope have delivered
/// later samples, or until it is half a second older than the newest sample.
public struct AttitudeStream: Sendable {
  private struct Entry {
    let kind: MotionKind
    let sample: Sample
  }

  /// The time in nanoseconds for which a sample waits for samples of the other sensor.
  private static let patience = 500_000_000
  /// The largest number of samples that wait. When more samples arrive, the oldest are used at once.
  private static let capacity = 4096

  /// The filter with all samples that do not wait.
  public private(set) var filter = AttitudeFilter()
  private var waiting: [Entry] = []
  /// The newest instants of the accelerometer and of the gyroscope.
  private var (force, turn) = (Instant.epoch, Instant.epoch)

  /// Makes a stream without samples.
  public init() {}

  /// Adds samples of one service, oldest first. Samples of other kinds than acceleration, rotation and
  /// magnetic field are ignored. The samples have the units of their classes: m/s², degrees per second, and
  /// µT.
  public mutating func add(_ samples: [Sample], of kind: MotionKind) {
    guard let last = samples.last, [.acceleration, .rotation, .magneticField].contains(kind) else { return }
    if kind == .acceleration { force = max(force, last.instant) }
    if kind == .rotation { turn = max(turn, last.instant) }
    waiting += samples.map { Entry(kind: kind, sample: $0) }
    waiting.sort { $0.sample.instant < $1.sample.instant }
    guard let newest = waiting.last?.sample.instant else { return }
    let complete = min(force, turn)
    var count = waiting.prefix { entry in
      entry.sample.instant <= complete
        || (newest - entry.sample.instant).nanoseconds > Self.patience
    }.count
    count = max(count, waiting.count - Self.capacity)
    for entry in waiting.prefix(count) { use(entry) }
    waiting.removeFirst(count)
  }

  private mutating func use(_ entry: Entry) {
    let (sample, instant) = (entry.sample, entry.sample.instant)
    let value = SIMD3(sample.first, sample.second, sample.third)
    switch entry.kind {
    case .acceleration: filter.add(acceleration: value, at: instant)
    case .rotation: filter.add(rotation: value, at: instant)
    default: filter.add(magneticField: value, at: instant)
    }
  }
}
