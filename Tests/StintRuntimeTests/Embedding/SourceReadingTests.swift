import Stint
import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// A gauge that publishes a value only when it is read.
private actor Gauge: SourcePlugin {
  nonisolated let manifest = Manifest(
    device: "test.gauge", kind: .source, title: "Gauge",
    facts: [
      FactSchema(
        path: "gauge.level", type: .quantity(.ratio), range: 0...1,
        reading: FactReading(every: .seconds(10), maxRate: 0.001), device: "test.gauge")
    ])
  private var port: DevicePort?
  private(set) var readings: [Instant] = []

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
  func read(at instant: Instant) {
    readings.append(instant)
    port?.publish("gauge.level", .number(0.3), at: instant)
  }
}

/// A device whose manifest has facts that are read on request, but whose code does not support such a
/// reading.
private actor Mute: DevicePlugin {
  nonisolated let manifest: Manifest
  init(_ manifest: Manifest) { self.manifest = manifest }
  func open(_ port: DevicePort, at instant: Instant) {}
  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}

@Suite struct SourceReadingTests {
  private let policy = """
    policy "p" version 1
    use location.gnss as gps
    rule low while gauge.level < 20 % { downgrade gps to 100 m }
    """

  @Test("F19: a source is read only as often as a policy needs, and `why` reports the next reading")
  func reading() async throws {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let gauge = Gauge()
    let bus = try await Bus(
      plugins: .linked(phone.plugins() + [gauge]),
      clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
    #expect(await gauge.readings.isEmpty)
    let folder = TemporaryFolder()
    folder.write("p.stint", policy)
    try await bus.load(policies: folder.at("p.stint"))
    #expect(await gauge.readings == [scenario.start])
    let why = await bus.why("test.gauge")
    #expect(why.contains("values from 20 % up change no decision"), "\(why)")
    #expect(why.contains("next in 1 min 40 s, at most every 10 s"), "\(why)")
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      async let _ = bus.flow()
      var count = 0
      for try await batch in batches {
        count += batch.samples.count
        if count >= 350 { break }
      }
    }
    // The 350 samples have taken at least five minutes.
    let readings = await gauge.readings
    #expect(readings.count >= 3, "\(readings)")
    #expect(zip(readings, readings.dropFirst()).allSatisfy { $1 - $0 == .seconds(100) }, "\(readings)")
    await bus.close()
  }

  @Test(
    "wrong input: a device whose manifest specifies a reading is refused when its code is no `SourcePlugin`"
  )
  func mute() async throws {
    let plugin = Mute(Gauge().manifest)
    let error = await #expect(throws: Problem.self) { try await Bus(plugins: .linked([plugin])) }
    #expect(error?.description.contains("is not a SourcePlugin") == true, "\(String(describing: error))")
  }
}
