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
