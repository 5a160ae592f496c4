import StintUnits

/// The spans of one lane in order of time. Their number is bounded for runs of any length.
///
/// Above the limit, neighbouring spans shorter than `grain` are merged, and `grain` grows. Longer spans are
/// kept, and the total energy does not change.
struct LaneLog: Hashable, Sendable {
  private(set) var spans: [LaneSpan] = []
  /// Spans shorter than this value were merged; zero when no spans were merged.
  private(set) var grain = TimeSpan.zero
  let limit: Int
  /// The power or energy of each kind, as its rank. A span of several kinds is drawn as its kind with the
  /// highest rank.
  private let ranks: [Int128]

  /// Creates a log that holds fewer than `2 * limit` spans. Its `finished` copy holds at most `limit` spans.
  init(limit: Int, ranks: [Int128] = []) {
    precondition(limit > 0, "the limit of a lane must be positive")
    self.limit = limit
    self.ranks = ranks
  }

  /// Appends a span, which must not begin before the end of the last span in the log.
  mutating func append(_ span: LaneSpan) {
    if let last = spans.last, last.end == span.start, last.kind == span.kind, last.cause == span.cause,
      last.count == 1, span.length > .zero, last.length > .zero
    {
      spans[spans.count - 1].merge(span, hasHigherRank: hasHigherRank)
      spans[spans.count - 1].count = 1
      return
    }
    spans.append(span)
    if spans.count >= 2 * limit { limitAccuracy() }
  }

  /// A copy of the log with at most `limit` spans.
  var finished: LaneLog {
    var copy = self
    if spans.count > limit { copy.limitAccuracy() }
    return copy
  }

  var energy: Energy { spans.reduce(.zero) { $0 + $1.energy } }

  private mutating func limitAccuracy() {
    while spans.count > limit {
      grain = max(.seconds(1), grain + .seconds(max(1, grain.nanoseconds / 4_000_000_000)))
      var merged: [LaneSpan] = []
      for span in spans {
        if let last = merged.last, last.length < grain, span.length < grain, span.end - last.start <= grain {
          merged[merged.count - 1].merge(span, hasHigherRank: hasHigherRank)
        } else {
          merged.append(span)
        }
      }
      spans = merged
    }
  }

  private func hasHigherRank(_ left: Int, _ right: Int) -> Bool {
    guard ranks.indices.contains(left), ranks.indices.contains(right) else { return left > right }
    return ranks[left] > ranks[right]
  }
}
