import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintTracks
import StintUnits
import Testing

@Suite struct RecordedMotionTests {
  private func bench(_ points: [MotionPoint]) async throws -> PluginBench {
    var scenario = Laboratory().scenario
    scenario.devices = ["motion.accelerometer"]
    let phone = ReferencePhone(
      scenario, seed: 1, meter: EnergyMeter(), motion: try MotionRecording(points: points))
    var bench = PluginBench(try phone.plugins()[0], at: Laboratory.start)
    try await bench.open()
    return bench
  }

  private func row(_ milliseconds: Int64, _ x: Double, _ z: Double = 0) -> MotionPoint {
    MotionPoint(time: .milliseconds(milliseconds), x: x, y: 0, z: z)
  }

  @Test("each sample is the latest recorded row; after the end of the recording, the phone is still")
  func samples() async throws {
    var bench = try await bench([row(150, 1), row(250, 2), row(250, 3), row(999, 4)])
    try await bench.apply(Setting(isOn: true, period: .milliseconds(100)))
    await bench.advance(by: .milliseconds(1250))
    #expect(bench.samples.map(\.first) == [1, 1, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0])
    #expect(bench.samples.last?.third == 9.80665)
  }

  @Test("the activity is classified from the recording, not taken from the legs of the scenario")
  func activity() async throws {
    let points = (0..<1000).map { place in
      row(Int64(place) * 20, 0, 9.80665 + (place < 500 ? 0 : place.isMultiple(of: 20) ? 9 : 0))
    }
    var bench = try await bench(points)
    try await bench.apply(Setting(isOn: true, period: .milliseconds(20)))
    await bench.advance(by: .seconds(20))
    let published = bench.values(of: "motion.activity").map(\.value)
    #expect(published.first == .symbol(0) && published.contains { $0 != .symbol(0) })
  }

  @Test("the duration is the time of the last row; an empty recording is rejected")
  func length() throws {
    let recording = try MotionRecording(points: [row(0, 0), row(1234, 0)])
    #expect(recording.duration == .milliseconds(1234))
    #expect(recording.count == 2)
    let error = #expect(throws: Problem.self) { try MotionRecording(points: []) }
    #expect(error?.code == .empty)
    #expect(throws: Problem.self) { try MotionRecording(path: "/nowhere/at/all.csv") }
  }

  @Test("a full FIFO that keeps the newest samples drops the oldest samples without a wake-up")
  func newest() async throws {
    for device in ["motion.accelerometer", "motion.gyro"] as [DeviceID] {
      var bench = try await Laboratory().bench(device)
      let setting = Setting(isOn: true, period: .milliseconds(20), isHolding: true, keepsNewest: true)
      try await bench.apply(setting)
      await bench.advance(by: .seconds(60))
      #expect(bench.batches.isEmpty)
      await bench.drain(reason: .flushed)
      #expect(bench.batches.map(\.samples.count) == [300])
      #expect(bench.sampleSeconds.last == 60 && bench.sampleSeconds.first == 54.02)
      // From now on a consumer needs every sample.
      try await bench.apply(Setting(isOn: true, period: .milliseconds(20), isHolding: true))
      await bench.advance(by: .seconds(6))
      #expect(bench.batches.map(\.reason) == [.flushed, .full])
    }
  }
}
