import StintMachine
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct ForecastTests {
  private let now = Instant.epoch + .hours(8)

  /// True, false or unknown from minutes after now.
  private func forecast(_ changes: (minute: Int64, truth: Truth)...) -> Forecast {
    var forecast = Forecast(changes[0].truth, from: now)
    for change in changes.dropFirst() { forecast.append(change.truth, from: now + .minutes(change.minute)) }
    return forecast
  }

  @Test("both parts are true together only where their stretches overlap")
  func both() {
    let left = forecast((0, .no), (10, .yes), (20, .no))
    let right = forecast((0, .yes), (5, .unknown), (15, .yes))
    #expect(left.and(right) == forecast((0, .no), (10, .unknown), (15, .yes), (20, .no)))
    #expect(left.and(right).first(.yes) == now + .minutes(15))
  }

  @Test("what never overlaps is never true together")
  func apart() {
    let left = forecast((0, .yes), (10, .no))
    #expect(left.and(left.negated).first(.yes) == nil)
  }

  @Test("a span counts from where the operand became true, and ends with it")
  func held() {
    let operand = forecast((0, .yes), (3, .no), (5, .yes))
    let fresh = operand.held(for: .minutes(4), since: nil, tolerate: nil)
    #expect(fresh == forecast((0, .no), (9, .yes)))
    let old = operand.held(for: .minutes(4), since: now - .minutes(2), tolerate: nil)
    #expect(old == forecast((0, .no), (2, .yes), (3, .no), (9, .yes)))
  }

  @Test("an unknown gap that is tolerated does not end a span; a longer one does")
  func tolerated() {
    let operand = forecast((0, .yes), (3, .unknown), (5, .yes))
    #expect(
      operand.held(for: .minutes(4), since: nil, tolerate: .minutes(2)) == forecast((0, .no), (4, .yes)))
    #expect(
      operand.held(for: .minutes(4), since: nil, tolerate: .seconds(30)).first(.yes) == now + .minutes(9))
  }

  @Test("what was true is remembered for the span after its end")
  func remembered() {
    let operand = forecast((0, .no), (6, .yes), (7, .no))
    #expect(
      operand.remembered(for: .minutes(2), last: now - .minutes(1))
        == forecast((0, .yes), (1, .no), (6, .yes), (9, .no)))
    #expect(operand.remembered(for: .minutes(2), last: nil).first(.yes) == now + .minutes(6))
  }
}
