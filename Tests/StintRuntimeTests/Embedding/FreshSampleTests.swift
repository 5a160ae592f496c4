import StintBus
import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

/// A receiver that delivers positions of the given ages, in seconds, as soon as it is switched on.
private actor OldReceiver: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private let ages: [Int64]

  init(_ manifest: Manifest, ages: [Int64]) {
    self.manifest = manifest
    self.ages = ages
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    guard setting.isOn else { return }
    let samples = ages.enumerated().map { number, age in
      Sample(
        instant: instant - .seconds(age), sequence: UInt64(number), 47, 8, number == 0 ? 3 : 20)
    }
    let batch = Batch(device: manifest.device, samples: samples, reason: .immediate)
    port?.deliver(batch, at: instant)
  }

  func wake(at instant: Instant, horizon: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) {}
}

@Suite struct FreshSampleTests {
  @Test(
    "F14: an app gets old positions with the flag `isStale`, and inaccurate positions with the flag `isPoor`")
  func demand() async throws {
    let manifest = try #require(
      try ReferencePhone.manifests().first { $0.device == "location.gnss" })
    for (maxAge, stale) in [
      (Duration.seconds(10), [true, true, false]), (.seconds(60), [true, false, false]),
    ] {
      let bus = try await Bus(
        plugins: .linked([OldReceiver(manifest, ages: [3 * 3600, 30, 0])]),
        clock: .virtual(from: .seconds(1_000_000)))
      let app = try await bus.attach("app", authorized: .always)
      let samples = try await app.withDemand(.location(accuracy: .meters(10), maxAge: maxAge)) { batches in
        for try await batch in batches { return batch.samples }
        return []
      }
      #expect(samples.map(\.isStale) == stale)
      #expect(samples.map(\.isPoor) == [false, true, true])
      await bus.close()
    }
  }

  @Test(
    "F14 R17: for random traces, no unflagged sample is too old, too inaccurate or from the future")
  func property() {
    var counts = (current: 0, stale: 0, poor: 0)
    let trials = Trials(10_000)
    for seed in trials.seeds {
      var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
      func roll(_ sides: UInt64) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64((state >> 33) % sides)
      }
      let maxAge = roll(120)
      let request = DemandRequest.location(accuracy: .meters(20), maxAge: .seconds(maxAge))
      var gate = OrderFilter()
      var now = Instant.epoch + .hours(10)
      for _ in 0..<5 {
        now = now + .seconds(roll(60))
        let samples = (0...roll(4)).map { number in
          let age = roll(3) == 0 ? roll(20_000) : roll(40) - 10
          return Sample(
            instant: now - .seconds(age), sequence: UInt64(number), 47, 8, Double(roll(40)))
        }
        let arriving = Batch(device: "location.gnss", samples: samples, reason: .immediate)
        guard let batch = gate.admit(arriving, at: now) else { continue }
        // The app reads the batch up to 19 s after its arrival.
        let read = now + .seconds(roll(20))
        for sample in ReadingBatch(batch, request, at: read).samples {
          let age = Duration.nanoseconds(read.nanoseconds) - sample.time
          #expect(age >= .zero && sample.isStale == (age > .seconds(maxAge)), "seed \(seed)")
          #expect(sample.isPoor == (sample.values[2] > 20), "seed \(seed)")
          counts.current += sample.isStale ? 0 : 1
          counts.stale += sample.isStale ? 1 : 0
          counts.poor += sample.isPoor ? 1 : 0
        }
      }
    }
    #expect(
      counts.current > trials.share(of: 10_000) && min(counts.stale, counts.poor) > trials.share(of: 5000),
      "\(counts)")
  }
}
