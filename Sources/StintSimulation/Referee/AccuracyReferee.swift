public import StintFormats
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
  public init(world: any WorldSource, bound: Double?) throws(FormatError) {
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
  public mutating func cease(at instant: Instant) {
    judge(until: instant)
    asksSince = nil
  }

  /// Takes a batch of positions in.
  public mutating func deliver(_ batch: Batch) {
    for sample in batch.samples { take(sample) }
  }

  /// The score of all so far.
  public var score: AccuracyScore {
    AccuracyScore(
      fixes: histogram.count, late: late, median: histogram.quantile(0.5),
      percentile95: histogram.quantile(0.95), worstGap: worstGap,
      withinBound: moving > 0 && bound != nil ? Double(held) / Double(moving) : nil, movingSeconds: moving)
  }

  private mutating func take(_ sample: Sample) {
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
