import StintUnits

/// The stretches of one lane, in order; their number is bounded for any length of the run.
///
/// When there are too many, the short ones are merged with their neighbours, and from then on what counts as short
/// grows; long ones stay as they were, and no energy is lost.
struct LaneLog: Hashable, Sendable {
  private(set) var spans: [LaneSpan] = []
  /// Stretches shorter than this have been merged; zero when the lane is as it was.
  private(set) var grain = TimeSpan.zero
  let limit: Int
  /// By kind: what it draws, to know which to show of several.
  private let ranks: [Int128]

  /// Keeps at most `limit` stretches when finished, and twice as many before.
  init(limit: Int, ranks: [Int128] = []) {
    precondition(limit > 0, "a lane keeps something")
    self.limit = limit
    self.ranks = ranks
  }

  /// Takes in the next stretch; it may not begin before the last one ended.
  mutating func append(_ span: LaneSpan) {
    if let last = spans.last, last.end == span.start, last.kind == span.kind, last.cause == span.cause,
      last.count == 1, span.length > .zero, last.length > .zero
    {
      spans[spans.count - 1].merge(span, isDearer: isDearer)
      spans[spans.count - 1].count = 1
      return
    }
    spans.append(span)
    if spans.count >= 2 * limit { coarsen() }
  }

  /// The lane with its limit kept.
  var finished: LaneLog {
    var copy = self
    if spans.count > limit { copy.coarsen() }
    return copy
  }

  /// The energy of all stretches.
  var energy: Energy { spans.reduce(.zero) { $0 + $1.energy } }

  private mutating func coarsen() {
    while spans.count > limit {
      grain = max(.seconds(1), grain + .seconds(max(1, grain.nanoseconds / 4_000_000_000)))
      var merged: [LaneSpan] = []
      for span in spans {
        if let last = merged.last, last.length < grain, span.length < grain, span.end - last.start <= grain {
          merged[merged.count - 1].merge(span, isDearer: isDearer)
        } else {
          merged.append(span)
        }
      }
      spans = merged
    }
  }

  private func isDearer(_ left: Int, _ right: Int) -> Bool {
    guard ranks.indices.contains(left), ranks.indices.contains(right) else { return left > right }
    return ranks[left] > ranks[right]
  }
}
