/// Immutable lists of items for the indexes 0, 1, 2 and so on, stored in two arrays.
struct Adjacency: Sendable {
  private let starts: ContiguousArray<Int32>
  private let items: ContiguousArray<Int32>

  init(_ lists: [[Int]]) {
    var starts: ContiguousArray<Int32> = [0]
    var items: ContiguousArray<Int32> = []
    for list in lists {
      items += list.map { Int32($0) }
      starts.append(Int32(items.count))
    }
    self.init(starts: starts, items: items)
  }

  /// Creates the lists from their items. List `n` extends from `starts[n]` to `starts[n + 1]`.
  init(starts: ContiguousArray<Int32>, items: ContiguousArray<Int32>) {
    self.starts = starts
    self.items = items
  }

  /// Returns the index of the first item of a list.
  @inline(__always)
  func start(of list: Int) -> Int { Int(starts[list]) }

  /// Returns the range of the items of a list.
  @inline(__always)
  func range(of list: Int) -> Range<Int> { Int(starts[list])..<Int(starts[list + 1]) }

  @inline(__always)
  subscript(item: Int) -> Int { Int(items[item]) }
}
