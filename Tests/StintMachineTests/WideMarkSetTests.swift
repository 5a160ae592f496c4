import Testing

@testable import StintMachine

@Suite("Large bit sets")
struct WideMarkSetTests {
  @Test("the members of a set of 20,000 bits are iterated in ascending order, without removed members")
  func order() {
    var marks = BitSet(count: 20_000)
    let places = [0, 1, 63, 64, 4095, 4096, 4097, 12_288, 19_999]
    for place in places.reversed() { marks.insert(place) }
    #expect(all(marks) == places)
    marks.remove(64)
    marks.remove(12_288)
    #expect(all(marks) == places.filter { $0 != 64 && $0 != 12_288 })
    marks.removeAll()
    #expect(marks.isEmpty)
    #expect(all(marks).isEmpty)
    marks.insert(4096)
    #expect(all(marks) == [4096])
  }

  private func all(_ marks: BitSet) -> [Int] {
    var found: [Int] = []
    var next = 0
    while let place = marks.first(from: next) {
      found.append(place)
      next = place + 1
    }
    return found
  }
}
