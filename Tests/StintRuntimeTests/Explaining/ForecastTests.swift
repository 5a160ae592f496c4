import StintMachine
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct ForecastTests {
  private let now = Instant.epoch + .hours(8)

  /// Returns a forecast whose truth value changes at the given minutes after `now`.
  private func forecast(_ changes: (minute: Int64, truth: Truth)...) -> Forecast {
    var forecast = Forecast(changes[0].truth, from: now)
    for change in changes.dropFirst() { forecast.append(change.truth, from: now + .minutes(change.minute)) }
    return forecast
  }

  @Test("a conjunction is true where the true intervals of its operands overlap")
  func both() {
    let left = forecast((0, .no), (10, .yes), (20, .no))
    let right = forecast((0, .yes), (5, .unknown), (15, .yes))
    #expect(left.and(right) == forecast((0, .no), (10, .unknown), (15, .yes), (20, .no)))
    #expect(left.and(right).first(.yes) == now + .minutes(15))
  }

  @Test("a conjunction without overlapping true intervals is never true")
  func apart() {
    let left = forecast((0, .yes), (10, .no))
    #expect(left.and(left.negated).first(.yes) == nil)
  }

  @Test("`for` becomes true when its operand has been true for the span, and false together with the operand")
  func held() {
    let operand = forecast((0, .yes), (3, .no), (5, .yes))
    let fresh = operand.held(for: .minutes(4), since: nil, tolerate: nil)
    #expect(fresh == forecast((0, .no), (9, .yes)))
    let old = operand.held(for: .minutes(4), since: now - .minutes(2), tolerate: nil)
    #expect(old == forecast((0, .no), (2, .yes), (3, .no), (9, .yes)))
  }

  @Test("an unknown interval within the tolerance does not interrupt a `for`; a longer interval does")
  func tolerated() {
    let operand = forecast((0, .yes), (3, .unknown), (5, .yes))
    #expect(
      operand.held(for: .minutes(4), since: nil, tolerate: .minutes(2)) == forecast((0, .no), (4, .yes)))
    #expect(
      operand.held(for: .minutes(4), since: nil, tolerate: .seconds(30)).first(.yes) == now + .minutes(9))
  }

  @Test("`in last` stays true for its span after the operand has become false")
  func remembered() {
    let operand = forecast((0, .no), (6, .yes), (7, .no))
    #expect(
      operand.remembered(for: .minutes(2), last: now - .minutes(1))
        == forecast((0, .yes), (1, .no), (6, .yes), (9, .no)))
    #expect(operand.remembered(for: .minutes(2), last: nil).first(.yes) == now + .minutes(6))
  }
}
