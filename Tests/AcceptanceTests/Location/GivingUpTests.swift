import StintModel
import StintServices
import StintUnits
import Testing

@Suite("Attempts that end without a good fix", .checkedPhones) struct GivingUpTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "host.processor", "host.app", "motion.accelerometer",
  ]

  private func verdict(_ radii: [Double], over seconds: Double = 90, order: [Int]? = nil)
    -> AccuracyTrend.Verdict
  {
    var trend = AccuracyTrend()
    let step = radii.count > 1 ? seconds / Double(radii.count - 1) : 0
    for place in order ?? Array(radii.indices) {
      trend.add(radii[place], at: .epoch + .of(seconds: step * Double(place)))
    }
    return trend.verdict
  }

  @Test(
    "L14: steady or rising radii are “flat”, falling radii are “improving”, and two fixes are “undecided”")
  func classes() {
    #expect(verdict([80, 78, 79, 80, 79]) == .flat)
    #expect(verdict([80, 60, 45, 33]) == .improving)
    #expect(verdict([20, 30, 45, 90]) == .flat, "from bad to worse")
    #expect(verdict([80, 20]) == .undecided)
    #expect(verdict([]) == .undecided)
    var trend = AccuracyTrend()
    for _ in 0..<5 { trend.add(80, at: .epoch) }
    #expect(trend.verdict == .undecided, "a repeated fix counts once")
  }

  @Test("L14: the trend of the accuracy does not depend on the order of the fixes")
  func order() {
    var random = SeededRandom(14)
    let long = stride(from: 90.0, to: 30, by: -4).map { $0 }
    for (series, span) in [
      ([80.0, 78, 79, 80, 79], 90.0), ([80, 60, 45, 33, 30], 90), ([40, 90, 20, 70, 10], 90), (long, 240),
    ] {
      let straight = verdict(series, over: span)
      for _ in 0..<200 {
        let order = Array(series.indices).shuffled(using: &random)
        #expect(verdict(series, over: span, order: order) == straight)
      }
    }
  }

  @Test("L14 L15: a policy can stop the receiver when the trend of its accuracy is flat")
  func trend() async throws {
    let legs = [Leg(activity: .still, duration: .hours(3), speed: 0, heading: 0, sky: .street)]
    let phone = try await Phone(
      legs, devices: Self.devices,
      policy: """
        use location.gnss as gps
        let flat = trend(gps.accuracy, 90 s) > -5 m
        rule giveup when (gps.on and gps.accuracy > 15 m) for 2 min and flat { stop gps for 5 min doubling to 1 h }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 600)
    #expect(phone.states(of: "location.gnss").contains { $0.hasPrefix("off") })
  }

  private static let cellar = [
    Leg(activity: .still, duration: .hours(3), speed: 0, heading: 0, sky: .indoors)
  ]
  private static let leaving = [
    Leg(activity: .still, duration: .minutes(63), speed: 0, heading: 0, sky: .indoors),
    Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40),
  ]

  private func searches(_ phone: Phone) -> [Double] {
    phone.states(of: "location.gnss").filter { $0.hasPrefix("search") }.compactMap { Double($0.dropFirst(7)) }
  }

  @Test("L15: in two hours indoors there are five attempts of 120 s, at 0, 7, 19, 41 and 83 min")
  func service() async throws {
    let phone = try await Phone(Self.cellar, devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), retry: RetrySchedule()))
    await phone.run(until: 7200)
    #expect(searches(phone) == [0, 7, 19, 41, 83].map { $0 * 60 })
    #expect(await phone.onTime(of: "location.gnss") == 600)
    let told = phone.notices(LocationNotice.self, for: "app").compactMap { entry -> Double? in
      if case .suspended(let next) = entry.notice { (next - Phone.start).seconds } else { nil }
    }
    #expect(told == [7, 19, 41, 83, 145].map { $0 * 60 }, "the client receives the time of the next attempt")
    await phone.expectInvariants()
  }

  @Test("L15: a policy can specify the attempts at 0, 7, 19, 41 and 83 min")
  func policy() async throws {
    let phone = try await Phone(
      Self.cellar, devices: Self.devices,
      policy: """
        use location.gnss as gps
        rule giveup when (gps.on and (not known(gps.accuracy) or gps.accuracy > 50 m)) for 2 min {
          stop gps for 5 min doubling to 1 h
        }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 7200)
    #expect(searches(phone) == [0, 7, 19, 41, 83].map { $0 * 60 })
    #expect(await phone.onTime(of: "location.gnss") == 600)
  }

  @Test(
    "L15: after 63 min indoors the first fix comes at 83 min 47 s, or by 64 min if motion ends the wait")
  func leave() async throws {
    for wakes in [false, true] {
      let phone = try await Phone(Self.leaving, devices: Self.devices)
      await phone.attach("app")
      await phone.ask(
        "app", "way", LocationUpdates(accuracy: .meters(10), retry: RetrySchedule(wakesOnMotion: wakes)))
      await phone.run(until: 6000)
      let first = try #require(
        phone.notices(LocationNotice.self, for: "app").first { entry in
          if case .fixes = entry.notice { true } else { false }
        }?.second)
      let range: ClosedRange<Double> = wakes ? 3827...3840 : 5027...5027
      #expect(range.contains(first))
      await phone.expectInvariants()
    }
  }

  @Test(
    "L15: flat, coarse fixes end the attempt, but improving fixes do not; a good fix resets the failure count"
  )
  func flat() throws {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    func run(_ radius: (Int) -> Double, seconds: Int) throws -> [Int] {
      var bench = try Bench()
      bench.attach("app")
      bench.ask(
        ServiceID("app", "way"),
        LocationUpdates(accuracy: .meters(20), pausing: false, retry: RetrySchedule()))
      for second in 1...seconds {
        bench.run(to: Bench.start + .seconds(Int64(second)))
        bench.fix(home, accuracy: radius(second))
      }
      return bench.notices.compactMap { entry in
        guard case .suspended? = entry.notice as? LocationNotice else { return nil }
        return Int((entry.at - Bench.start).seconds)
      }
    }
    #expect(try run({ _ in 80 }, seconds: 300) == [120])
    #expect(try run({ second in 200 - Double(second) }, seconds: 180) == [])
    #expect(try run({ _ in 15 }, seconds: 600) == [])
    // The fixes are good from 500 s to 600 s, so the next wait is as short as the first.
    let times = try run({ second in (500...600).contains(second) ? 15 : 80 }, seconds: 1200)
    #expect(times.first == 120 && times.count >= 2, "\(times)")
  }

  @Test("L15: the delay doubles up to its maximum, and invalid settings are refused")
  func schedule() throws {
    let schedule = RetrySchedule()
    let minutes = [1, 2, 3, 4, 5, 6, 60].map { schedule.wait(after: $0).seconds / 60 }
    #expect(minutes == [5, 10, 20, 40, 60, 60, 60])
    var bench = try Bench()
    bench.attach("app")
    for wrong in [
      RetrySchedule(attemptDuration: .zero), RetrySchedule(wait: .zero),
      RetrySchedule(wait: .hours(2), longestWait: .hours(1)),
    ] {
      bench.ask(ServiceID("app", "way"), LocationUpdates(retry: wrong))
    }
    #expect(bench.refusals.map(\.failure.code) == [.invalid, .invalid, .invalid])
    #expect(bench.powerUps.isEmpty)
  }
}
