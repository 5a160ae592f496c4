import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintTracks
import StintUnits
import Testing

@testable import StintRuntime

/// Tests the facts about motion that the simulated accelerometer publishes.
@Suite struct MotionFactTests {
  private static let recordings = Repository.path("../shared/data/traces/motion")

  private func bench(_ motion: MotionRecording?, legs: [Leg] = [.resting(.hours(1))]) async throws
    -> PluginBench
  {
    var scenario = Laboratory(legs: legs).scenario
    scenario.devices = ["motion.accelerometer"]
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter(), motion: motion)
    var bench = PluginBench(try phone.plugins()[0], at: Laboratory.start)
    try await bench.open()
    return bench
  }

  /// Returns the number of times that a Boolean fact becomes true.
  private func beginnings(_ fact: String, _ bench: PluginBench) -> Int {
    let values = bench.values(of: fact).map(\.value)
    return zip([.boolean(false)] + values, values).count { $0 != .boolean(true) && $1 == .boolean(true) }
  }

  @Test("the confidence is published with each activity, from 0 to 1; below 8 Hz, it is at most 0.5")
  func confidence() async throws {
    for activity in Activity.allCases {
      for (hertz, range) in [(1.0, 0.0...0.5), (50, 0.4...1)] {
        var bench = try await bench(nil, legs: [.moving(activity, .hours(1))])
        try await bench.apply(Setting(isOn: true, period: Quantity(hertz, .rate).period))
        await bench.advance(by: .minutes(3))
        let instants = bench.values(of: "motion.activity").map(\.at)
        let values = bench.values(of: "motion.confidence")
        #expect(!instants.isEmpty && values.map(\.at) == instants, "\(activity)")
        for value in values {
          guard case .number(let number) = value.value else {
            Issue.record("\(activity): \(value)")
            continue
          }
          #expect(range.contains(number), "\(activity) at \(hertz) Hz: \(number)")
        }
      }
    }
  }

  @Test("a recorded shake and a recorded turn are facts at 50 Hz; at 1 Hz, these facts stay unknown")
  func events() async throws {
    let points = (0..<1500).map { place -> MotionPoint in
      let time = Double(place) / 50
      let shake = (10..<12).contains(time) ? 40 * sine(degrees: 360 * 4.3 * time) : 0
      let isTurned = time >= 20
      return MotionPoint(
        time: .milliseconds(Int64(place) * 20), x: shake, y: isTurned ? 9.80665 : 0, z: isTurned ? 0 : 9.80665
      )
    }
    let motion = try MotionRecording(points: points)
    var fast = try await bench(motion)
    try await fast.apply(Setting(isOn: true, period: .milliseconds(20)))
    await fast.advance(by: .seconds(29))
    #expect(beginnings("motion.shaking", fast) == 1 && beginnings("motion.tilting", fast) == 1)
    let shaken = try #require(fast.values(of: "motion.shaking").first { $0.value == .boolean(true) })
    #expect((10...10.6).contains((shaken.at - Laboratory.start).seconds))
    #expect(fast.values(of: "motion.shaking").last?.value == .boolean(false))
    #expect(fast.faults.isEmpty)
    var slow = try await bench(motion)
    try await slow.apply(Setting(isOn: true, period: .seconds(1)))
    await slow.advance(by: .seconds(29))
    #expect(slow.values(of: "motion.shaking").isEmpty && slow.values(of: "motion.tilting").isEmpty)
  }

  @Test("a simulated phone that walks, runs, cycles or rides for 10 minutes is neither shaken nor tilted")
  func activities() async throws {
    for activity in Activity.allCases {
      var bench = try await bench(nil, legs: [.moving(activity, .hours(1))])
      try await bench.apply(Setting(isOn: true, period: .milliseconds(20)))
      await bench.advance(by: .minutes(10))
      #expect(
        beginnings("motion.shaking", bench) == 0 && beginnings("motion.tilting", bench) == 0, "\(activity)")
      #expect(!bench.values(of: "motion.shaking").isEmpty)
    }
  }

  @Test(
    "25 minutes of recorded walks contain no shake, and at most 6 tilts for each walk",
    .enabled(if: Folder.entry(at: recordings) == .folder, "the recordings are not part of the repository"))
  func walks() async throws {
    for name in ["armband_a", "bag_a", "hand_a", "nexus_hand_a", "patient_a", "pocket_a", "swinging_arm_a"] {
      let motion = try MotionRecording(path: Self.recordings + "/walk_phone_\(name).csv")
      var bench = try await bench(motion)
      try await bench.apply(Setting(isOn: true, period: .milliseconds(20)))
      await bench.advance(by: motion.duration)
      #expect(beginnings("motion.shaking", bench) == 0, "\(name)")
      #expect(beginnings("motion.tilting", bench) <= 6, "\(name)")
      #expect(bench.values(of: "motion.shaking").count > 3, "\(name)")
    }
  }
}
