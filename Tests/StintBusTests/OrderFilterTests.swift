import StintBus
import StintModel
import StintUnits
import Testing

@Suite struct OrderFilterTests {
  private func batch(_ samples: [(second: Int64, number: UInt64)]) -> Batch {
    Batch(
      device: "light",
      samples: samples.map { Sample(instant: .epoch + .seconds($0.second), sequence: $0.number, 0) },
      reason: .immediate)
  }

  private func numbers(_ batch: Batch?) -> [UInt64] { batch?.samples.map(\.sequence) ?? [] }

  @Test("R18: samples within a batch are sorted, and duplicates are dropped")
  func within() {
    var filter = OrderFilter()
    let admitted = filter.admit(batch([(3, 3), (1, 1), (2, 2), (2, 2)]), at: .epoch + .seconds(3))
    #expect(numbers(admitted) == [1, 2, 3])
    #expect(filter.refused == 1)
  }

  @Test("R18: samples older than a published sample are dropped, and other samples of the batch are kept")
  func across() {
    var filter = OrderFilter()
    #expect(numbers(filter.admit(batch([(5, 5)]), at: .epoch + .seconds(5))) == [5])
    #expect(numbers(filter.admit(batch([(4, 4), (6, 6)]), at: .epoch + .seconds(6))) == [6])
    #expect(filter.admit(batch([(6, 6)]), at: .epoch + .seconds(7)) == nil)
    #expect(filter.refused == 2)
  }

  @Test("R17: samples from the future are dropped, and later samples with valid instants are still accepted")
  func future() {
    var filter = OrderFilter()
    #expect(filter.admit(batch([(90, 1)]), at: .epoch + .seconds(1)) == nil)
    #expect(numbers(filter.admit(batch([(2, 2), (92, 3)]), at: .epoch + .seconds(2))) == [2])
    #expect(filter.refused == 2)
  }

  @Test(
    "samples of equal instants are ordered by sequence number; at a later instant, lower numbers are valid")
  func ties() {
    var filter = OrderFilter()
    #expect(numbers(filter.admit(batch([(1, 8), (1, 7)]), at: .epoch + .seconds(1))) == [7, 8])
    #expect(numbers(filter.admit(batch([(2, 0), (3, 1)]), at: .epoch + .seconds(3))) == [0, 1])
  }

  @Test(
    "R18: for random input, admitted samples ascend by instant and number; refused samples are counted"
  )
  func anything() {
    var state: UInt64 = 7
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<200 {
      var filter = OrderFilter()
      var seen: [Sample] = []
      var given = 0
      for second in 1...20 as ClosedRange<Int64> {
        let samples = (0...next(5)).map { _ in (second: Int64(next(25)), number: next(4)) }
        given += samples.count
        guard let admitted = filter.admit(batch(samples), at: .epoch + .seconds(second)) else { continue }
        #expect(!admitted.samples.isEmpty)
        seen += admitted.samples
      }
      #expect(seen.count + filter.refused == given)
      #expect(
        zip(seen, seen.dropFirst()).allSatisfy {
          ($0.instant, $0.sequence) < ($1.instant, $1.sequence)
        })
    }
  }
}
