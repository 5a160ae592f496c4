import StintFormats
public import StintModel
public import StintUnits

/// Compares the fixes that one client got with the truth, from a view of its own.
///
/// Tell it when the client begins and ceases to ask, and give it every batch in the order of delivery. A fix
/// counts from the instant at which it was taken, whenever it was handed over. Memory is flat.
public struct AccuracyReferee {
  /// Slower than this, in metres a second, counts as standing.
  public static let movingFrom = 0.3

  private let bound: Double?
  private var view: any WorldView
  private var histogram = ErrorHistogram()
  private var asksSince: Instant?
  /// The next whole second to judge.
  private var nextSecond: Int64 = 0
  private var latest: (position: Coordinate, instant: Instant)?
  private var late = 0
  private var worstGap = TimeSpan.zero
  private var moving = 0
  private var held = 0

  /// A referee for a client that asks for `bound` metres; nil when it asks for no accuracy.
  ///
  /// - Throws: when the world cannot be opened.
  public init(world: any WorldSource, bound: Double?) throws(Problem) {
    self.bound = bound
    view = try world.makeView()
  }

  /// The client asks from now on.
  public mutating func begin(at instant: Instant) {
    guard asksSince == nil else { return }
    asksSince = instant
    nextSecond = max(nextSecond, Self.secondFrom(instant))
  }

  /// The client asks no more; what lies before has been delivered.
  public mutating func stop(at instant: Instant) {
    judge(until: instant)
    asksSince = nil
  }

  /// Takes a batch of positions in.
  public mutating func deliver(_ batch: Batch) {
    for sample in batch.samples { ingest(sample) }
  }

  /// The score of all so far.
  public var score: AccuracyScore {
    AccuracyScore(
      fixes: histogram.count, late: late, median: histogram.quantile(0.5),
      percentile95: histogram.quantile(0.95), worstGap: worstGap,
      withinBound: moving > 0 && bound != nil ? Double(held) / Double(moving) : nil, movingSeconds: moving)
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

  /// Judges every whole second before an instant with the fix that was the latest then.
  private mutating func judge(until instant: Instant) {
    guard asksSince != nil else { return }
    while nextSecond < instant.nanoseconds {
      let second = Instant(nanoseconds: nextSecond)
      nextSecond += 1_000_000_000
      let truth = view.state(at: second)
      guard truth.speed > Self.movingFrom else { continue }
      moving += 1
      if let bound, let latest, latest.position.distance(to: truth.position) <= bound { held += 1 }
    }
  }

  private static func secondFrom(_ instant: Instant) -> Int64 {
    let whole = instant.nanoseconds / 1_000_000_000 * 1_000_000_000
    return whole < instant.nanoseconds ? whole + 1_000_000_000 : whole
  }
}

/// How good the positions were that a client got.
public struct AccuracyScore: Hashable, Sendable {
  /// How many fixes were judged.
  public var fixes: Int
  /// Fixes that came after later ones were known; they count nowhere else.
  public var late: Int
  /// The error in metres that half of the fixes do not exceed; nil without fixes.
  public var median: Double?
  /// The error in metres that 95 of 100 fixes do not exceed; nil without fixes.
  public var percentile95: Double?
  /// The longest time between two fixes that follow each other; zero with fewer than two.
  public var worstGap: TimeSpan
  /// Of the whole seconds in which the phone moved, the share at which the latest fix was within the asked
  /// accuracy of the truth; nil when it never moved or no accuracy was asked.
  public var withinBound: Double?
  /// Whole seconds in which the phone moved while the client asked.
  public var movingSeconds: Int
}

/// Counts errors in metres, in boxes of 0.1 m up to 100 m and ever wider ones (a quarter more each) above;
/// memory does not grow with their number.
public struct ErrorHistogram: Hashable, Sendable {
  private static let fineBoxes = 1000
  private static let fineWidth = 0.1
  private static let coarseFrom = 100.0
  private static let growth = 1.25
  /// Reaches beyond half the way round the Earth.
  private static let coarseBoxes = 56

  private var boxes: [Int]
  /// How many were counted.
  public private(set) var count = 0

  /// Counts nothing yet.
  public init() { boxes = Array(repeating: 0, count: Self.fineBoxes + Self.coarseBoxes) }

  /// Counts an error; negative ones count as 0, and what is not a number as the largest.
  public mutating func add(_ metres: Double) {
    boxes[Self.box(of: metres)] += 1
    count += 1
  }

  /// The error that this share (0…1) of the cases does not exceed, to the width of a box; nil without cases.
  public func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int((share * Double(count)).rounded(.up)))
    var sum = 0
    for (index, cases) in boxes.enumerated() {
      sum += cases
      if sum >= wanted { return Self.upperEdge(of: index) }
    }
    return Self.upperEdge(of: boxes.count - 1)
  }

  private static func box(of metres: Double) -> Int {
    guard metres >= coarseFrom || metres.isNaN else { return Int(max(metres, 0) / fineWidth) }
    var edge = coarseFrom * growth
    var index = fineBoxes
    while !(metres < edge), index < fineBoxes + coarseBoxes - 1 {
      edge *= growth
      index += 1
    }
    return index
  }

  private static func upperEdge(of index: Int) -> Double {
    guard index >= fineBoxes else { return Double(index + 1) / 10 }
    return (fineBoxes...index).reduce(coarseFrom) { edge, _ in edge * growth }
  }
}
