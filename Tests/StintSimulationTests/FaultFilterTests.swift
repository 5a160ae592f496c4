import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Synchronization
import Testing

@Suite struct FaultFilterTests {
  private static let start = Laboratory.start
  private static let manifest = Manifest(
    device: "light", kind: .sensor, title: "Light",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1), isOn: true),
    ],
    facts: [FactSchema(path: "light.level", type: .quantity(.ratio), range: 0...1)])

  private func filter(_ faults: (kind: InjectedFault.Kind, at: Int64, for: Int64)...) throws -> FaultFilter {
    try #require(
      FaultFilter(
        faults.map {
          InjectedFault(
            device: "light", at: .seconds($0.at), duration: .seconds($0.for), kind: $0.kind,
            delay: .seconds(10))
        }, manifests: [Self.manifest], start: Self.start, seed: 1))
  }

  private func sample(_ second: Int64, _ value: Double) -> PortEvent {
    let instant = Self.start + .seconds(second)
    return .batch(
      Batch(
        device: "light", samples: [Sample(instant: instant, sequence: UInt64(second), value)],
        reason: .immediate), at: instant)
  }

  private func lines(_ events: [PortEvent]) -> [String] {
    events.map { event in
      let second = Quantity.number((event.instant - Self.start).seconds)
      switch event {
      case .batch(let batch, _):
        let values = batch.samples.map { sample in
          "\(Quantity.number((sample.instant - Self.start).seconds))=\(Quantity.number(sample.first))"
        }
        return "\(second): \(values.joined(separator: " "))"
      case .fact(_, let value, _): return "\(second): \(value)"
      case .available(let isThere, _): return "\(second): \(isThere ? "there" : "gone")"
      case .outcome(.state(let state, _), _): return "\(second): state \(state)"
      default: return "\(second): \(event)"
      }
    }
  }

  @Test("disk and memory faults last for the specified times, and the events of devices pass unchanged")
  func phone() throws {
    let diskReports = Mutex<[Bool]>([])
    func fault(_ kind: InjectedFault.Kind, _ at: Int64, _ span: Int64) -> InjectedFault {
      InjectedFault(device: InjectedFault.phone, at: .seconds(at), duration: .seconds(span), kind: kind)
    }
    var filter = try #require(
      FaultFilter(
        [fault(.disk, 10, 10), fault(.disk, 15, 15), fault(.memory, 40, 5)], manifests: [Self.manifest],
        start: Self.start, seed: 1
      ) { isFull in diskReports.withLock { $0.append(isFull) } })
    var steps: [String] = []
    while filter.nextInstant < .distantFuture {
      let instant = filter.nextInstant
      let isLow = filter.memoryIsLow(at: instant)
      steps.append("\((instant - Self.start).seconds) \(isLow.map { "\($0)" } ?? "-")")
    }
    #expect(steps == ["10.0 -", "30.0 -", "40.0 true", "45.0 false"])
    #expect(diskReports.withLock { $0 } == [true, false])
    #expect(filter.pass([sample(12, 5)], of: 0) == [sample(12, 5)])
  }

  @Test("a scenario with only a dropout needs no filter, and a filter changes no event before its fault")
  func noFault() throws {
    let dropout = InjectedFault(device: "light", at: .zero, duration: .hours(1), kind: .dropout)
    #expect(FaultFilter([dropout], manifests: [Self.manifest], start: Self.start, seed: 1) == nil)
    var filter = try filter((.stuck, 100, 10))
    #expect(filter.pass([sample(1, 5)], of: 0) == [sample(1, 5)])
    #expect(filter.nextInstant == .distantFuture)
  }

  @Test("a stuck sensor repeats its last value with new instants")
  func stuck() throws {
    var filter = try filter((.stuck, 2, 2))
    let passed = filter.pass([sample(1, 1), sample(2, 2), sample(3, 3), sample(4, 4)], of: 0)
    #expect(lines(passed) == ["1: 1=1", "2: 2=1", "3: 3=1", "4: 4=4"])
  }

  @Test("a noisy sensor gives wrong values, and its facts stay within their ranges")
  func noisy() throws {
    var filter = try filter((.noisy, 0, 100))
    var wrong = 0
    for second in 0..<100 as Range<Int64> {
      let instant = Self.start + .seconds(second)
      let passed = filter.pass([.fact(0, .number(0.9), at: instant), sample(second, 5)], of: 0)
      guard case .fact(_, .number(let number), _) = passed[0], case .batch(let batch, _) = passed[1] else {
        Issue.record("\(passed)")
        return
      }
      #expect((0...1).contains(number))
      if abs(number - 0.9) > 0.1, abs(batch.samples[0].first - 5) > 0.1 { wrong += 1 }
    }
    #expect(wrong > 20)
  }

  @Test("delayed events keep their order, and an event after the fault does not overtake them")
  func late() throws {
    var filter = try filter((.late, 0, 5))
    var passed = filter.pass([sample(1, 1), sample(3, 3), sample(6, 6)], of: 0)
    #expect(passed.isEmpty)
    #expect(filter.nextInstant == Self.start + .seconds(11))
    passed = filter.release(0, at: Self.start + .seconds(11))
    #expect(lines(passed) == ["11: 1=1"])
    passed = filter.release(0, at: Self.start + .seconds(20)) + filter.pass([sample(21, 21)], of: 0)
    #expect(lines(passed) == ["13: 3=3", "13: 6=6", "21: 21=21"])
  }

  @Test("a duplicated event arrives twice, and a clock that is ahead changes only the instants of samples")
  func doubles() throws {
    var filter = try filter((.duplicated, 0, 2), (.clock, 1, 5))
    let passed = filter.pass([sample(0, 1), sample(1, 2), sample(3, 3)], of: 0)
    #expect(lines(passed) == ["0: 0=1", "0: 0=1", "1: 11=2", "1: 11=2", "3: 13=3"])
  }

  @Test(
    "during a loss, a device is off and unavailable and publishes nothing; then its actual state is reported")
  func loss() throws {
    var filter = try filter((.loss, 10, 10))
    let on = PortEvent.outcome(.state(1, period: nil), at: Self.start + .seconds(1))
    #expect(filter.pass([on], of: 0) == [on])
    #expect(filter.nextInstant == Self.start + .seconds(10))
    #expect(lines(filter.release(0, at: Self.start + .seconds(10))) == ["10: state 0", "10: gone"])
    #expect(filter.pass([sample(12, 1)], of: 0).isEmpty)
    #expect(lines(filter.release(0, at: Self.start + .seconds(20))) == ["20: there", "20: state 1"])
    #expect(lines(filter.pass([sample(21, 2)], of: 0)) == ["21: 21=2"])
  }

  @Test("when a device reports its availability during a loss, the report applies at the end of the loss")
  func availability() throws {
    var filter = try filter((.loss, 10, 10))
    let away = PortEvent.available(false, at: Self.start + .seconds(1))
    let back = PortEvent.available(true, at: Self.start + .seconds(2))
    #expect(filter.pass([away, back], of: 0) == [away, back])
    _ = filter.release(0, at: Self.start + .seconds(10))
    #expect(filter.pass([.available(false, at: Self.start + .seconds(12))], of: 0).isEmpty)
    #expect(lines(filter.release(0, at: Self.start + .seconds(20))) == ["20: gone"])
  }

  @Test("a crash drops delayed events, and overlapping outages count as one outage")
  func crash() throws {
    var filter = try filter((.late, 0, 20), (.crash, 5, 10), (.loss, 8, 20))
    #expect(filter.pass([sample(1, 1)], of: 0).isEmpty)
    #expect(lines(filter.release(0, at: Self.start + .seconds(11))) == ["5: state 0", "5: gone"])
    #expect(filter.nextInstant == Self.start + .seconds(28))
    #expect(lines(filter.release(0, at: Self.start + .seconds(28))) == ["28: there"])
  }
}
