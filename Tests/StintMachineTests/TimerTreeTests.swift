import Testing

@testable import StintMachine

@Suite("Timers")
struct TimerTreeTests {
  @Test(
    "`earliest` is the earliest instant of a timer, and expired timers are removed in order of their indexes"
  )
  func takesDueTimers() {
    for count in [0, 1, 2, 3, 7, 8, 33] {
      var tree = TimerTree(count: count)
      #expect(tree.earliest == TimerTree.never)
      let instants: [Int64] = (0..<count).map { Int64(100 - $0 * 7 % 5) }
      for timer in 0..<count { tree.set(timer, to: instants[timer]) }
      #expect(tree.removeExpired(at: 95) == nil)
      var taken: [Int] = []
      while let timer = tree.removeExpired(at: 98) { taken.append(timer) }
      #expect(taken == instants.indices.filter { instants[$0] <= 98 })
      #expect(tree.earliest == instants.filter { $0 > 98 }.min() ?? TimerTree.never)
    }
  }

  @Test("setting a timer again replaces its old instant")
  func replaces() {
    var tree = TimerTree(count: 3)
    tree.set(1, to: 5)
    tree.set(2, to: 7)
    tree.set(1, to: 9)
    #expect(tree.earliest == 7)
    tree.set(2, to: TimerTree.never)
    #expect(tree.earliest == 9)
    #expect(tree.instant(of: 1) == 9)
  }
}

@Suite("Bit sets")
struct BitSetTests {
  @Test("members are iterated in ascending order, even across the borders of 64-bit words")
  func ascends() {
    var marks = BitSet(count: 200)
    for place in [199, 0, 64, 63, 130] { marks.insert(place) }
    var read: [Int] = []
    var place = 0
    while let mark = marks.first(from: place) {
      read.append(mark)
      place = mark + 1
    }
    #expect(read == [0, 63, 64, 130, 199])
    #expect(marks.contains(64) && !marks.contains(65))
    marks.removeAll()
    #expect(marks.isEmpty && marks.first(from: 0) == nil)
  }
}
