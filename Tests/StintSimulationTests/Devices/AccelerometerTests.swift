import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct AccelerometerTests {
  private func setting(_ hertz: Double, holding: Bool = false) -> Setting {
    Setting(isOn: true, period: Quantity(hertz, .rate).period, isHolding: holding)
  }

  @Test("power grows by 9 uW for each hertz", arguments: [(1.0, Int64(59_000)), (50, 500_000)])
  func power(hertz: Double, nanowatts: Int64) async throws {
    var bench = try await Laboratory().bench("motion.accelerometer")
    try await bench.apply(setting(hertz))
    await bench.advance(by: .seconds(10))
    try await bench.apply(.off)
    await bench.advance(by: .seconds(10))
    #expect(bench.energy(since: Laboratory.start) == Energy(nanojoules: nanowatts * 10))
  }

  @Test(
    "the classifier distinguishes all activities within 6 s, at rates from 1 Hz to 100 Hz",
    arguments: [1.0, 2, 4, 7, 8, 9, 10, 12, 15, 25, 50, 100])
  func classification(hertz: Double) async throws {
    var legs: [Leg] = []
    var order: [Activity] = []
    for first in Activity.allCases {
      for second in Activity.allCases where second != first { order += [first, second] }
    }
    for activity in order { legs.append(.moving(activity, .seconds(40))) }
    for seed in 1...3 as ClosedRange<UInt64> {
      var bench = try await Laboratory(legs: legs, seed: seed).bench("motion.accelerometer")
      try await bench.apply(setting(hertz))
      await bench.advance(by: .seconds(Int64(40 * order.count)))
      let published = bench.values(of: "motion.activity")
      for (place, activity) in order.enumerated() {
        let from = Laboratory.start + .seconds(Int64(place) * 40 + 6)
        let to = Laboratory.start + .seconds(Int64(place) * 40 + 40)
        let known = published.last { $0.at <= from }.map(\.value)
        let during = published.filter { $0.at > from && $0.at < to }.map(\.value)
        let wanted = FactValue.symbol(Activity.allCases.firstIndex(of: activity) ?? -1)
        #expect(
          ([known] + during).allSatisfy { $0 == wanted },
          "\(activity) at leg \(place), seed \(seed): \(String(describing: known)) then \(during)")
      }
    }
  }

  @Test("an unchanged activity is published after 3 s and then every 30 s") func refresh() async throws {
    var bench = try await Laboratory(legs: [.resting(.hours(1))]).bench("motion.accelerometer")
    try await bench.apply(setting(1))
    await bench.advance(by: .seconds(100))
    let seconds = bench.values(of: "motion.activity").map { ($0.at - Laboratory.start).seconds }
    #expect(seconds == [3, 33, 63, 93])
  }

  @Test("20 s of samples are delivered in two batches: at the first activity and at the end")
  func batches() async throws {
    var bench = try await Laboratory().bench("motion.accelerometer")
    try await bench.apply(setting(50))
    await bench.advance(by: .seconds(20))
    #expect(bench.samples.count == 1000)
    // The first batch ends where the activity became known, the second at the end of the advance.
    #expect(bench.batches.map(\.samples.count) == [150, 850])
    let gaps = zip(bench.samples, bench.samples.dropFirst()).map { $1.instant - $0.instant }
    #expect(gaps.allSatisfy { $0 == .milliseconds(20) })
    #expect(bench.sampleSeconds.first == 0.02)
  }

  @Test("samples do not depend on the length of the time steps")
  func timeSteps() async throws {
    let legs = [Leg.moving(.walking, .seconds(13)), .moving(.running, .hours(1), speed: 3)]
    var long = try await Laboratory(legs: legs).bench("motion.accelerometer")
    var short = try await Laboratory(legs: legs).bench("motion.accelerometer")
    try await long.apply(setting(50))
    try await short.apply(setting(50))
    await long.advance(by: .seconds(30))
    for _ in 0..<300 { await short.advance(by: .milliseconds(100)) }
    #expect(long.samples == short.samples)
    let facts = long.values(of: "motion.activity").map(\.at)
    #expect(facts == short.values(of: "motion.activity").map(\.at))
    #expect(long.batches.count < short.batches.count)
  }

  @Test("a FIFO of 300 samples fills in 6 s at 50 Hz") func fifo() async throws {
    var bench = try await Laboratory().bench("motion.accelerometer")
    try await bench.apply(setting(50, holding: true))
    await bench.advance(by: .seconds(15))
    await bench.drain(reason: .piggybacked)
    #expect(bench.batches.map(\.samples.count) == [300, 300, 150])
    #expect(bench.batches.map(\.reason) == [.full, .full, .piggybacked])
  }

  @Test("the acceleration of walking contains gravity and about 1.8 steps per second")
  func shape() async throws {
    var bench = try await Laboratory(legs: [.moving(.walking, .hours(1))]).bench("motion.accelerometer")
    try await bench.apply(setting(50))
    await bench.advance(by: .seconds(100))
    let mean = bench.samples.map(\.third).reduce(0, +) / Double(bench.samples.count)
    #expect(abs(mean - 9.80665) < 0.1)
    let upward = zip(bench.samples, bench.samples.dropFirst()).count {
      $0.third < 9.80665 && $1.third >= 9.80665
    }
    #expect((150...280).contains(upward), "\(upward) steps in 100 s")
  }

  @Test("the accelerometer delivers no samples during a dropout")
  func noSamples() async throws {
    let dropout = InjectedFault(
      device: "motion.accelerometer", at: .seconds(10), duration: .seconds(100), kind: .dropout)
    var bench = try await Laboratory(faults: [dropout]).bench("motion.accelerometer")
    try await bench.apply(setting(10))
    await bench.advance(by: .seconds(120))
    #expect(!bench.sampleSeconds.contains { $0 >= 10 && $0 < 110 })
    #expect(bench.sampleSeconds.contains(110))
  }
}
