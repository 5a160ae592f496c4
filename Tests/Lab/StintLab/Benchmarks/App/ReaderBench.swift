import Stint
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// Measures the processor time for each sample that reaches one reader of an embedding app.
///
/// The samples pass through the same stages as in an app: a plugin on its own thread, host, governor,
/// services and the reader's sequence.
struct ReaderBench {
  /// The kind of request that the reader makes.
  enum Kind: String, CaseIterable {
    case demand = "a demand"
    case service = "a motion service"
  }

  /// The maximum number of samples that wait for the reader. It is below the capacity of the reader's queue,
  /// so that no sample is lost.
  private static let window = 512

  fileprivate let bus: Bus
  fileprivate let sensor: FloodedSensor

  /// Runs one pass and returns the nanoseconds of processor time per sample.
  ///
  /// - Throws: an error when the system has no free thread or descriptor, or when the demand fails. If a
  ///   sample is lost, the pass does not end.
  static func run(_ kind: Kind, samples: Int, on loop: LoopExecutor, pool: PoolExecutor) throws -> Double {
    try Spawner.run(on: loop) { () async throws -> Double in
      let sensor = FloodedSensor()
      let bench = ReaderBench(
        bus: try await Bus(plugins: .linked([sensor])), sensor: sensor)
      let cost = try await bench.pass(kind, samples, pool)
      await bench.bus.close()
      return cost
    }.get()
  }

  private func pass(_ kind: Kind, _ samples: Int, _ pool: PoolExecutor) async throws -> Double {
    try await bus.load(text: "policy \"reader\" version 1\n")
    let client = try await bus.attach("reader", authorized: .always)
    switch kind {
    case .demand:
      return try await client.withDemand(.acceleration(every: .microseconds(1))) { batches in
        let producer = Spawner.start(on: pool) { flood(samples) }
        for try await batch in batches where sensor.add(batch.samples.count) >= samples { break }
        return Double(await producer.value) / Double(samples)
      }
    case .service:
      let request = MotionRequest(.acceleration, interval: .microseconds(1))
      return try await client.withService("motion", request) { notices in
        let producer = Spawner.start(on: pool) { flood(samples) }
        for await notice in notices {
          guard case .samples(let values, _) = notice as? MotionNotice else { continue }
          if sensor.add(values.count) >= samples { break }
        }
        return Double(await producer.value) / Double(samples)
      }
    }
  }

  /// Publishes `samples` batches of one sample. Returns the processor time of the process, in nanoseconds,
  /// until the reader has received all of them.
  private func flood(_ samples: Int) -> Int64 {
    while !sensor.isOn { Pause.microseconds(100) }
    let began = SystemClock.worked()
    for number in 0..<samples {
      while number - sensor.received >= Self.window { Pause.microseconds(200) }
      sensor.publish(number)
    }
    while sensor.received < samples { Pause.microseconds(200) }
    return (SystemClock.worked() - began).nanoseconds
  }
}

/// An accelerometer that publishes a sample at each call of `publish`. Any thread may call `publish`.
actor FloodedSensor: SensorPlugin {
  private static let device = DeviceID("motion.accelerometer")

  nonisolated let manifest = Manifest(
    device: device, kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
    attributes: [
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.1...1_000_000, fallback: .number(50))
    ])
  private nonisolated let port = Locked<DevicePort?>(nil)
  private nonisolated let setting = Locked(false)

  private nonisolated let count = Locked(0)
  private nonisolated let last = Locked(Instant.epoch)

  nonisolated var isOn: Bool { setting.withLock { $0 } }

  /// The number of samples that the reader has received.
  nonisolated var received: Int { count.withLock { $0 } }

  /// Counts samples that the reader has received. Returns their number since the start.
  nonisolated func add(_ samples: Int) -> Int {
    count.withLock { count in
      count += samples
      return count
    }
  }

  nonisolated func publish(_ number: Int) {
    // The reader requests a period of 1 us, and the host delivers at most one sample per period.
    let now = last.withLock { last in
      last = max(SystemClock.wall(), last + TimeSpan(nanoseconds: 1000))
      return last
    }
    let sample = Sample(instant: now, sequence: UInt64(number), 0.1, 0.2, 9.8)
    port.withLock { $0 }?.deliver(
      Batch(device: Self.device, samples: [sample], reason: .immediate), at: now)
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port.withLock { $0 = port } }

  func apply(_ setting: Setting, at instant: Instant) {
    port.withLock { $0 }?.report(.state(setting.isOn ? 1 : 0, period: setting.period), at: instant)
    self.setting.withLock { $0 = setting.isOn }
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}
