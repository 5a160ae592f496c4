import StintFormats
public import StintModel
public import StintUnits

/// Compares the fixes of one client with the true positions, which it reads from its own view of the world.
///
/// Call `begin` and `stop` when the client's demand begins and ends. Call `deliver` with every batch, in the
/// order of delivery. A fix counts from the instant of its measurement, even when it is delivered later. The
/// referee needs constant memory.
public struct AccuracyReferee {
  /// The speed in metres per second up to which the phone counts as stationary.
  public static let movingFrom = 0.3

  private let bound: Double?
  private var view: any WorldView
  private var histogram = ErrorHistogram()
  private var demandSince: Instant?
  /// The next whole second to evaluate.
  private var nextSecond: Int64 = 0
  private var latest: (position: Coordinate, instant: Instant)?
  private var late = 0
  private var worstGap = TimeSpan.zero
  private var movingSeconds = 0
  /// The number of moving seconds in which the latest fix had the required accuracy.
  private var secondsWithinBound = 0

  /// Makes a referee for a client with a required accuracy of `bound` metres; nil for no required accuracy.
  ///
  /// - Throws: a problem when the world cannot be opened.
  public init(world: any WorldSource, bound: Double?) throws(Problem) {
    self.bound = bound
    view = try world.makeView()
  }

  /// Starts the evaluation: the client's demand begins.
  public mutating func begin(at instant: Instant) {
    guard demandSince == nil else { return }
    demandSince = instant
    nextSecond = max(nextSecond, Self.secondFrom(instant))
  }

  /// Ends the evaluation: the client's demand ends. All batches from before `instant` must have been
  /// delivered.
  public mutating func stop(at instant: Instant) {
    judge(until: instant)
    demandSince = nil
  }

  /// Adds a batch of positions.
  public mutating func deliver(_ batch: Batch) {
    for sample in batch.samples { ingest(sample) }
  }

  /// The score of all fixes up to now.
  public var score: AccuracyScore {
    AccuracyScore(
      fixes: histogram.count, late: late, median: histogram.quantile(0.5),
      percentile95: histogram.quantile(0.95), worstGap: worstGap,
      withinBound: movingSeconds > 0 && bound != nil
        ? Double(secondsWithinBound) / Double(movingSeconds) : nil,
      movingSeconds: movingSeconds)
  }

  private mutating func ingest(_ sample: Sample) {
    if let latest, sample.instant < latest.instant {
      late += 1
      return
    }
    guard let position = Coordinate(latitude: sample.first, longitude: sample.second) else { return }
    judge(until: sample.instant)
    if let latest { worstGap = max(worstGap, sample.instant - latest.instant) }
    histogram.add(position.distance(to: view.state(at: sample.instant).position))
    latest = (position, sample.instant)
  }

  /// Evaluates every whole second before an instant with the latest fix at that second.
  private mutating func judge(until instant: Instant) {
    guard demandSince != nil else { return }
    while nextSecond < instant.nanoseconds {
      let second = Instant(nanoseconds: nextSecond)
      nextSecond += 1_000_000_000
      let truth = view.state(at: second)
      guard truth.speed > Self.movingFrom else { continue }
      movingSeconds += 1
      if let bound, let latest, latest.position.distance(to: truth.position) <= bound {
        secondsWithinBound += 1
      }
    }
  }

  private static func secondFrom(_ instant: Instant) -> Int64 {
    let whole = instant.nanoseconds / 1_000_000_000 * 1_000_000_000
    return whole < instant.nanoseconds ? whole + 1_000_000_000 : whole
  }
}

/// The accuracy of the positions that a client received.
public struct AccuracyScore: Hashable, Sendable {
  /// The number of evaluated fixes.
  public var fixes: Int
  /// The number of fixes that arrived after a more recent fix. All other figures exclude these fixes.
  public var late: Int
  /// The median error in metres; nil without fixes.
  public var median: Double?
  /// The 95th percentile of the error in metres; nil without fixes.
  public var percentile95: Double?
  /// The longest time between two consecutive fixes; zero with fewer than two fixes.
  public var worstGap: TimeSpan
  /// The share of moving seconds in which the latest fix was within the required accuracy of the true
  /// position. Nil when the phone never moved or no accuracy was required.
  public var withinBound: Double?
  /// The number of whole seconds in which the phone moved while the client's demand existed.
  public var movingSeconds: Int
}

/// A histogram of errors in metres, in constant memory. Bins are 0.1 m wide up to 100 m. Above 100 m, the
/// upper bound of each bin is 1.25 times its lower bound.
public struct ErrorHistogram: Hashable, Sendable {
  private static let fineBins = 1000
  private static let fineWidth = 0.1
  private static let coarseFrom = 100.0
  private static let growth = 1.25
  /// The last bin begins beyond half the circumference of the Earth.
  private static let coarseBins = 56

  private var bins: [Int]
  /// The number of errors.
  public private(set) var count = 0

  /// Makes an empty histogram.
  public init() { bins = Array(repeating: 0, count: Self.fineBins + Self.coarseBins) }

  /// Adds an error in metres. A negative error counts as 0, and NaN as the largest error.
  public mutating func add(_ metres: Double) {
    bins[Self.bin(of: metres)] += 1
    count += 1
  }

  /// Returns the upper bound of the bin that contains a quantile. `share` is the quantile, 0…1. Nil when
  /// empty.
  public func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int((share * Double(count)).rounded(.up)))
    var sum = 0
    for (index, cases) in bins.enumerated() {
      sum += cases
      if sum >= wanted { return Self.upperEdge(of: index) }
    }
    return Self.upperEdge(of: bins.count - 1)
  }

  private static func bin(of metres: Double) -> Int {
    guard metres >= coarseFrom || metres.isNaN else { return Int(max(metres, 0) / fineWidth) }
    var edge = coarseFrom * growth
    var index = fineBins
    while !(metres < edge), index < fineBins + coarseBins - 1 {
      edge *= growth
      index += 1
    }
    return index
  }

  private static func upperEdge(of index: Int) -> Double {
    guard index >= fineBins else { return Double(index + 1) / 10 }
    return (fineBins...index).reduce(coarseFrom) { edge, _ in edge * growth }
  }
}
