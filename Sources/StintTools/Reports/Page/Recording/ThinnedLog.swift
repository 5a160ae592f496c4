/// Every `stride`-th of a series of values, so that their number is bounded; the last is always kept.
struct ThinnedLog<Value: Hashable & Sendable>: Hashable, Sendable {
  private var kept: [Value] = []
  private var last: Value?
  private(set) var count = 0
  /// One of this many values is kept.
  private(set) var stride = 1
  private let limit: Int

  /// Keeps at most `limit` values and the last.
  init(limit: Int) {
    precondition(limit > 1, "a row has two ends")
    self.limit = limit
  }

  mutating func append(_ value: Value) {
    defer { count += 1 }
    last = value
    guard count % stride == 0 else { return }
    last = nil
    kept.append(value)
    guard kept.count > limit else { return }
    kept = kept.indices.filter { $0 % 2 == 0 }.map { kept[$0] }
    stride *= 2
    if count % stride != 0 { last = value }
  }

  var values: [Value] { kept + (last.map { [$0] } ?? []) }
}
