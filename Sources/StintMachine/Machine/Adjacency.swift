/// For each of a fixed number of things, the things that hang on it; made once, then only read.
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

  /// The list of a thing goes from its start to that of the next.
  init(starts: ContiguousArray<Int32>, items: ContiguousArray<Int32>) {
    self.starts = starts
    self.items = items
  }

  /// Where the list of a thing begins among all items.
  @inline(__always)
  func start(of thing: Int) -> Int { Int(starts[thing]) }

  /// Where the list of a thing lies among all items.
  @inline(__always)
  func range(of thing: Int) -> Range<Int> { Int(starts[thing])..<Int(starts[thing + 1]) }

  @inline(__always)
  subscript(item: Int) -> Int { Int(items[item]) }

  var byteCount: Int { (starts.count + items.count) * 4 }
}
