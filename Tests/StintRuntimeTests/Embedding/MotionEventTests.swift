import Stint
import StintModel
import StintServices
import StintSimulation
import StintTracks
import StintUnits
import Testing

private actor Attitude {
  var stream = AttitudeStream()

  func follow(_ notices: Notices, _ kind: MotionKind) async {
    for await notice in notices {
      if case MotionNotice.samples(let samples, _) = notice { stream.add(samples, of: kind) }
    }
  }
}

private func follow(_ app: Client, into attitude: Attitude) async throws {
  let period = Duration.milliseconds(20)
  let turns = try await app.ask("turns", for: MotionRequest(.rotation, interval: period))
  let forces = try await app.ask("forces", for: MotionRequest(.acceleration, interval: period))
  async let first: Void = attitude.follow(turns, .rotation)
  async let second: Void = attitude.follow(forces, .acceleration)
  _ = await (first, second)
}

/// Tests shakes, tilts and the attitude as an app uses them.
@Suite struct MotionEventTests {
  /// A phone that rests, is shaken from 60 s to 63 s, and is turned to its side at 90 s.
  private func phone() throws -> ReferencePhone {
    var scenario = try BuiltInScenarios.scenario(named: "day-hike")
    scenario.devices = ["host.app", "host.processor", "motion.accelerometer", "motion.gyro"]
    let points = (0..<6000).map { place -> MotionPoint in
      let time = Double(place) / 50
      let shake = (60..<63).contains(time) ? 40 * sine(degrees: 360 * 4.3 * time) : 0
      return MotionPoint(
        time: .milliseconds(Int64(place) * 20), x: shake + (time >= 90 ? 9.80665 : 0), y: 0,
        z: time >= 90 ? 0 : 9.80665)
    }
    return ReferencePhone(
      scenario, seed: 1, meter: EnergyMeter(), motion: try MotionRecording(points: points))
  }

  @Test(
    "a rule on a shake or a tilt turns the accelerometer on, and acts once for each; an app reads the facts")
  func rules() async throws {
    let acts = Locked<[PolicyAct]>([])
    let phone = try phone()
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart),
      onAct: { act in acts.withLock { $0.append(act) } })
    try await bus.load(
      text: """
        policy "hand" version 1
        rule shaken when motion.shaking { emit "shaken" }
        rule tilted when motion.tilting { emit "tilted" }
        """)
    try await bus.advance(by: .seconds(59))
    #expect(await bus.fact("motion.shaking") == .truth(false))
    try await bus.advance(by: .seconds(3))
    #expect(await bus.fact("motion.shaking") == .truth(true))
    try await bus.advance(by: .seconds(50))
    #expect(await bus.fact("motion.shaking") == .truth(false))
    let found = acts.withLock { $0 }
    #expect(found.map(\.rule) == ["hand/shaken", "hand/tilted"], "\(found)")
    let times = found.map { $0.time - phone.clockStart }
    #expect((.seconds(60)...(.seconds(61))).contains(try #require(times.first)))
    #expect((.seconds(90)...(.seconds(93))).contains(try #require(times.last)))
    await bus.close()
  }

  @Test("an app computes the attitude from the streams of the accelerometer and of the gyroscope")
  func attitude() async throws {
    let phone = try phone()
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("app", authorized: .always)
    let attitude = Attitude()
    async let following: Void = follow(app, into: attitude)
    var isRunning = false
    while !isRunning {
      try await bus.advance(by: .seconds(0.1))
      let devices = await bus.devices().filter(\.isOn).map(\.name)
      isRunning = devices.contains("motion.gyro") && devices.contains("motion.accelerometer")
    }
    try await bus.advance(by: .seconds(50))
    _ = await app.end("turns")
    _ = await app.end("forces")
    try await following
    let filter = await attitude.stream.filter
    #expect(filter.isReady && filter.gaps == 0)
    #expect(filter.gravity.z > 9.7 && abs(filter.gravity.x) < 1.5, "\(filter.gravity)")
    await bus.close()
  }

  @Test("samples of two sensors give the same attitude in whatever order their batches arrive")
  func order() {
    let start = Instant.epoch + .seconds(100)
    func samples(_ range: Range<Int>, shift: Int64, _ value: (Double) -> (Double, Double, Double)) -> [Sample]
    {
      range.map { place in
        let (x, y, z) = value(Double(place) / 50)
        let instant = start + .milliseconds(Int64(place) * 20 + shift)
        return Sample(instant: instant, sequence: UInt64(place), x, y, z)
      }
    }
    func turns(_ range: Range<Int>) -> [Sample] {
      samples(range, shift: 0) { (30 * sine(degrees: 90 * $0), 20, -10) }
    }
    func forces(_ range: Range<Int>) -> [Sample] {
      samples(range, shift: 7) { (sine(degrees: 90 * $0), 3, 9) }
    }
    var single = AttitudeStream()
    for place in 0..<200 {
      single.add(turns(place..<place + 1), of: .rotation)
      single.add(forces(place..<place + 1), of: .acceleration)
    }
    var batched = AttitudeStream()
    for place in stride(from: 0, to: 200, by: 20) {
      batched.add(forces(place..<place + 20), of: .acceleration)
      batched.add(turns(place..<place + 20), of: .rotation)
      batched.add([Sample(instant: start, sequence: 0, 1)], of: .deviceMotion)
    }
    #expect(single.filter.isReady && abs(single.filter.attitude.twist) > 1)
    #expect(single.filter.attitude == batched.filter.attitude)
    // Without a gyroscope, the stream does not wait for it.
    var silent = AttitudeStream()
    silent.add(forces(0..<200), of: .acceleration)
    #expect(silent.filter.gravity.z > 8 && !silent.filter.isReady)
  }
}
