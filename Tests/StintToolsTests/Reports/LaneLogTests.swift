import StintUnits
import Testing

@testable import StintTools

@Suite("Lanes of a report page")
struct LaneLogTests {
  /// Returns a log of contiguous spans with pseudo-random lengths. Each 97th span is long.
  private func log(count: Int, limit: Int, seed: UInt64) -> (log: LaneLog, energy: Energy, end: Instant) {
    var log = LaneLog(limit: limit, ranks: [0, 10, 5])
    var state = seed
    var at = Instant.epoch
    var energy = Energy.zero
    for index in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let isLong = index % 97 == 0
      let length = TimeSpan.milliseconds(isLong ? 7_200_000 : Int64(state >> 33 % 5000) + 1)
      let part = Energy(nanojoules: Int64(state >> 40 % 1000))
      log.append(LaneSpan(start: at, end: at + length, kind: index % 3, cause: index % 7, energy: part))
      at = at + length
      energy += part
    }
    return (log, energy, at)
  }

  @Test(
    "a log has fewer spans than twice its limit; a finished log respects its limit and keeps all energy",
    arguments: 1...40 as ClosedRange<UInt64>)
  func bounded(seed: UInt64) {
    let count = Int(seed) * 50
    let (log, energy, end) = log(count: count, limit: 100, seed: seed)
    #expect(log.spans.count < 200)
    let finished = log.finished
    #expect(finished.spans.count <= 100)
    #expect(finished.energy == energy)
    #expect(finished.spans.reduce(0) { $0 + $1.count } == count)
    #expect(finished.spans.first?.start == .epoch && finished.spans.last?.end == end)
    for (left, right) in zip(finished.spans, finished.spans.dropFirst()) { #expect(left.end == right.start) }
  }

  @Test(
    "long spans are kept; a merged span has the kind of its longest part, and its highest-ranked kind as peak"
  )
  func merging() {
    let (log, _, _) = log(count: 970, limit: 100, seed: 3)
    #expect(log.finished.spans.filter { $0.count == 1 && $0.length == .hours(2) }.count == 10)
    var merged = LaneSpan(start: .epoch, end: .epoch + .seconds(2), kind: 0, cause: 4)
    merged.merge(LaneSpan(start: merged.end, end: merged.end + .seconds(1), kind: 1, cause: 5)) { $0 > $1 }
    #expect(merged.kind == 0 && merged.cause == 4 && merged.peak == 1 && merged.count == 2)
    merged.merge(LaneSpan(start: merged.end, end: merged.end + .seconds(9), kind: 2, cause: 6)) { $0 > $1 }
    #expect(merged.kind == 2 && merged.cause == 6 && merged.length == .seconds(12))
  }

  @Test("contiguous spans of equal kind and cause are joined, and spans of zero length are not joined")
  func joining() {
    var log = LaneLog(limit: 10)
    for second in 0..<5 as Range<Int64> {
      log.append(LaneSpan(start: .epoch + .seconds(second), end: .epoch + .seconds(second + 1), cause: 3))
    }
    #expect(log.spans.count == 1 && log.spans[0].count == 1 && log.spans[0].length == .seconds(5))
    for _ in 0..<2 { log.append(LaneSpan(start: .epoch + .seconds(9), end: .epoch + .seconds(9))) }
    #expect(log.spans.count == 3 && log.grain == .zero)
  }

  @Test(
    "a `ThinnedLog` has at most one value more than its limit, and keeps the first and the last value",
    arguments: [0, 1, 2, 7, 8, 9, 100, 1025, 5000])
  func thinned(count: Int) {
    var log = ThinnedLog<Int>(limit: 8)
    for value in 0..<count { log.append(value) }
    #expect(log.values.count <= 9 && log.count == count)
    #expect(log.values.first == (count > 0 ? 0 : nil) && log.values.last == (count > 0 ? count - 1 : nil))
    #expect(log.values == log.values.sorted() && Set(log.values).count == log.values.count)
    #expect(log.values.dropLast().allSatisfy { $0 % log.stride == 0 })
  }

  @Test("a simplified path keeps its corners and ends, and has at most its limit of points")
  func path() throws {
    let start = try #require(Coordinate(latitude: 47, longitude: 8))
    let straight = (0...500).map { start.moved(north: Double($0), east: 0) }
    let corner = (1...500).map { start.moved(north: 500, east: Double($0)) }
    #expect(SimplifiedPath(straight + corner).simplified(to: 100).count == 3)
    let zigzag = (0..<1000).map { start.moved(north: Double($0), east: $0 % 2 == 0 ? 0 : 30) }
    let short = SimplifiedPath(zigzag).simplified(to: 50)
    #expect(short.count <= 50 && short.first == zigzag.first && short.last == zigzag.last)
    #expect(
      SimplifiedPath([]).simplified(to: 5).isEmpty && SimplifiedPath([start]).simplified(to: 5) == [start])
  }
}
