import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct GNSSReceiverTests {
  private let on = Setting(isOn: true, accuracy: 10, period: .seconds(1))

  @Test("the first fix takes 47 s cold and 4 s hot; the receiver is cold after more than 2 h off")
  func firstFixTimes() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    try await bench.apply(on)
    await bench.advance(by: .seconds(50))
    try await bench.apply(.off)
    await bench.advance(by: .hours(2))
    try await bench.apply(on)
    await bench.advance(by: .seconds(10))
    try await bench.apply(.off)
    await bench.advance(by: .hours(2) + TimeSpan(nanoseconds: 1))
    try await bench.apply(on)
    await bench.advance(by: .seconds(47))
    #expect(
      bench.stateLog == [
        "search 0", "track 47", "off 50", "search 7250", "track 7254", "off 7260", "search 14460",
        "track 14507",
      ])
    #expect(bench.sampleSeconds.prefix(5) == [47, 48, 49, 50, 7254])
  }

  @Test("the energy is the power of search and track times their exact durations")
  func energy() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    await bench.advance(by: .hours(1))
    try await bench.apply(on)
    await bench.advance(by: .seconds(100))
    try await bench.apply(.off)
    await bench.advance(by: .hours(1))
    // 47 s at 75 mW, 53 s at 60 mW, and nothing while off.
    #expect(bench.energy(since: Laboratory.start) == Energy(nanojoules: 3_525_000_000 + 3_180_000_000))
  }

  @Test("L06: at one fix per 15 min, the receiver is in standby and searches for 4 s before each fix")
  func dutyCycle() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    try await bench.apply(Setting(isOn: true, period: .minutes(15)))
    await bench.advance(by: .seconds(47) + .minutes(30))
    #expect(
      bench.stateLog == [
        "search 0", "track 47", "standby 47", "search 943", "track 947", "standby 947", "search 1843",
        "track 1847", "standby 1847",
      ])
    let standby = Energy(nanojoules: 66_000 * 2 * 896)
    #expect(bench.energy(since: Laboratory.start) == Energy(nanojoules: 75_000_000 * 55) + standby)
  }

  @Test("a shorter period ends standby, and a longer period begins standby")
  func standby() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    try await bench.apply(on)
    await bench.advance(by: .seconds(60))
    try await bench.apply(Setting(isOn: true, period: .minutes(5)))
    await bench.advance(by: .seconds(60))
    #expect(bench.states.last?.name == "standby")
    try await bench.apply(on)
    await bench.advance(by: .seconds(10))
    #expect(bench.stateLog.suffix(3) == ["search 120", "search 120", "track 124"])
    #expect(bench.sampleSeconds.suffix(2) == [129, 130])
  }

  @Test("after the first fix, fixes are on full seconds, at multiples of the period")
  func periods() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    await bench.advance(by: .milliseconds(250))
    try await bench.apply(Setting(isOn: true, period: .seconds(5)))
    await bench.advance(by: .seconds(60))
    #expect(bench.sampleSeconds == [47.25, 52, 57])
    try await bench.apply(Setting(isOn: true, period: .seconds(2)))
    await bench.advance(by: .seconds(4))
    #expect(bench.sampleSeconds.suffix(2) == [61, 63])
  }

  @Test("the receiver searches indoors, and tracks after 4 s outdoors") func indoors() async throws {
    let legs = [Leg.resting(.seconds(60)), .resting(.minutes(10), sky: .indoors), .resting(.hours(1))]
    var bench = try await Laboratory(legs: legs).bench("location.gnss")
    try await bench.apply(on)
    await bench.advance(by: .minutes(12))
    #expect(bench.stateLog == ["search 0", "track 47", "search 60", "track 664"])
    #expect(!bench.sampleSeconds.contains { $0 >= 60 && $0 < 664 })
  }

  @Test("a cold search that is interrupted indoors starts again") func interruptedSearch() async throws {
    let legs = [Leg.resting(.seconds(40)), .resting(.seconds(10), sky: .indoors), .resting(.hours(1))]
    var bench = try await Laboratory(legs: legs).bench("location.gnss")
    try await bench.apply(on)
    await bench.advance(by: .minutes(5))
    #expect(bench.stateLog == ["search 0", "track 97"])
  }

  @Test("the receiver holds up to 600 fixes until it is drained, its FIFO is full, or holding ends")
  func holding() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    try await bench.apply(Setting(isOn: true, period: .seconds(1), isHolding: true))
    await bench.advance(by: .seconds(46 + 650))
    await bench.drain(reason: .reached(.time(.minutes(5))))
    await bench.advance(by: .seconds(10))
    try await bench.apply(on)
    #expect(bench.batches.map(\.samples.count) == [600, 50, 10])
    #expect(bench.batches.map(\.reason) == [.full, .reached(.time(.minutes(5))), .ended])
    #expect(bench.samples.map(\.sequence) == Array(0..<660))
    #expect(bench.values(of: "accuracy").count == 660, "facts are published while fixes are held")
  }

  @Test("a receiver that is turned off delivers its held fixes first") func offWhileHolding() async throws {
    var bench = try await Laboratory().bench("location.gnss")
    try await bench.apply(Setting(isOn: true, period: .seconds(1), isHolding: true))
    await bench.advance(by: .seconds(50))
    try await bench.apply(.off)
    #expect(bench.batches.map(\.reason) == [.ended])
    #expect(bench.states.last?.name == "off")
  }

  @Test(
    "95 of 100 fixes lie within 5 m in the open and 25 m in a street",
    arguments: [(Leg.Sky.open, 5.0), (.street, 25)])
  func errors(sky: Leg.Sky, radius: Double) async throws {
    let legs = [Leg.moving(.walking, .hours(3), sky: sky)]
    var bench = try await Laboratory(legs: legs).bench("location.gnss")
    var referee = try AccuracyReferee(
      world: LegWorld(start: Laboratory.start, origin: Laboratory.origin, legs: legs, seed: 1), bound: radius)
    try await bench.apply(on)
    await bench.advance(by: .hours(2))
    for batch in bench.batches { referee.deliver(batch) }
    let score = referee.score
    #expect(abs((score.percentile95 ?? 0) / radius - 1) < 0.04, "\(score)")
    #expect(bench.samples.allSatisfy { $0.third >= 0.8 * radius && $0.third <= 1.2 * radius })
  }

  @Test("the odometer follows a walk within 2 % and grows by less than 10 m in 30 min of rest")
  func odometer() async throws {
    let legs = [Leg.moving(.walking, .seconds(1047)), .resting(.hours(1))]
    var bench = try await Laboratory(legs: legs).bench("location.gnss")
    try await bench.apply(on)
    await bench.advance(by: .seconds(1048))
    let walked = Self.number(bench.values(of: "distance").last?.value)
    #expect(abs(walked / 1400 - 1) < 0.02, "\(walked)")
    await bench.advance(by: .minutes(30))
    #expect(Self.number(bench.values(of: "distance").last?.value) - walked < 10)
  }

  @Test("during a dropout, the receiver stays on and delivers no fixes") func noFixes() async throws {
    let dropout = InjectedFault(
      device: "location.gnss", at: .seconds(100), duration: .seconds(50), kind: .dropout)
    var bench = try await Laboratory(faults: [dropout]).bench("location.gnss")
    try await bench.apply(on)
    await bench.advance(by: .seconds(200))
    #expect(!bench.sampleSeconds.contains { $0 >= 100 && $0 < 150 })
    #expect(bench.sampleSeconds.contains(150))
    #expect(bench.stateLog == ["search 0", "track 47"])
  }

  @Test("equal seeds give equal fixes, even after a later start")
  func equalSeeds() async throws {
    var first = try await Laboratory().bench("location.gnss")
    try await first.apply(on)
    await first.advance(by: .seconds(100))
    var second = try await Laboratory().bench("location.gnss")
    await second.advance(by: .seconds(10))
    try await second.apply(on)
    await second.advance(by: .seconds(90))
    let late = second.samples.map(\.first)
    #expect(first.samples.suffix(late.count).map(\.first) == late)
    var other = try await Laboratory(seed: 2).bench("location.gnss")
    try await other.apply(on)
    await other.advance(by: .seconds(100))
    #expect(other.samples.map(\.first) != first.samples.map(\.first))
  }

  private static func number(_ value: FactValue?) -> Double {
    guard case .number(let number)? = value else { return .nan }
    return number
  }
}
