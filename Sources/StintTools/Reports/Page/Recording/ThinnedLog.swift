/// A bounded sample of a series of values: each `stride`-th value, and always the last.
struct ThinnedLog<Value: Hashable & Sendable>: Hashable, Sendable {
  private var kept: [Value] = []
  private var trailing: Value?
  private(set) var count = 0
  /// The log keeps every `stride`-th value.
  private(set) var stride = 1
  private let limit: Int

  /// Creates a log of at most `limit` evenly spaced values, plus the last value.
  init(limit: Int) {
    precondition(limit > 1, "the limit must be at least 2")
    self.limit = limit
  }

  mutating func append(_ value: Value) {
    defer { count += 1 }
    trailing = value
    guard count % stride == 0 else { return }
    trailing = nil
    kept.append(value)
    guard kept.count > limit else { return }
    kept = kept.indices.filter { $0 % 2 == 0 }.map { kept[$0] }
    stride *= 2
    if count % stride != 0 { trailing = value }
  }

  var values: [Value] { kept + (trailing.map { [$0] } ?? []) }
}
