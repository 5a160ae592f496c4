import StintModel

/// The sorted thresholds (cuts) of one source, which divide its values into ranks.
///
/// Rank 0 means unknown. A known value has rank 1 plus the number of cuts at or below it. No rule
/// distinguishes two values of equal rank.
struct Scale: Sendable {
  let cuts: [Double]

  init(_ tests: some Sequence<ValueTest>) {
    var all = tests.flatMap(\.cuts)
    all.sort()
    var cuts: [Double] = []
    cuts.reserveCapacity(all.count)
    for cut in all where cuts.last != cut { cuts.append(cut) }
    self.cuts = cuts
  }

  var rankCount: Int { cuts.count + 2 }

  func rank(of value: Double) -> Int {
    guard !value.isNaN else { return 0 }
    var low = 0
    var high = cuts.count
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low + 1
  }

  /// Returns the ranks at which a test is true, as ascending, disjoint, non-empty ranges.
  func ranks(of test: ValueTest) -> [Range<Int>] {
    switch test {
    case .compare(.less, let limit): known(1, rank(of: limit))
    case .compare(.lessOrEqual, let limit): known(1, rank(of: limit.nextUp))
    case .compare(.greater, let limit): known(rank(of: limit.nextUp), rankCount)
    case .compare(.greaterOrEqual, let limit): known(rank(of: limit), rankCount)
    case .compare(.equal, let limit): points([limit])
    case .compare(.notEqual, let limit): gaps([limit])
    case .oneOf(let values): points(values)
    case .noneOf(let values): gaps(values)
    case .known: known(1, rankCount)
    case .unknown: [0..<1]
    }
  }

  private func known(_ low: Int, _ high: Int) -> [Range<Int>] { low < high ? [low..<high] : [] }

  private func points(_ values: [Double]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for value in values.sorted() {
      let range = rank(of: value)..<rank(of: value.nextUp)
      if ranges.last.map({ $0.upperBound <= range.lowerBound }) ?? true { ranges.append(range) }
    }
    return ranges
  }

  private func gaps(_ values: [Double]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var low = 1
    for point in points(values) {
      ranges += known(low, point.lowerBound)
      low = point.upperBound
    }
    return ranges + known(low, rankCount)
  }

  /// Returns the ranks that are in both lists of ranges.
  static func intersection(_ left: [Range<Int>], _ right: [Range<Int>]) -> [Range<Int>] {
    var both: [Range<Int>] = []
    for mine in left {
      for yours in right {
        let range =
          max(
            mine.lowerBound, yours.lowerBound)..<max(
            max(mine.lowerBound, yours.lowerBound), min(mine.upperBound, yours.upperBound))
        if !range.isEmpty { both.append(range) }
      }
    }
    return both
  }
}
