import StintBus
import StintModel
import StintRuntime

/// Measures the latency from a published sample to the call of `LatencyProbeDevice`, for the bus and
/// its baselines.
enum WakingBench {
  /// Reads batches and calls the device, on the device's loop, in place of the governor.
  private actor Governor {
    private let loop: LoopExecutor
    private let device: LatencyProbeDevice

    init(on loop: LoopExecutor, telling device: LatencyProbeDevice) {
      self.loop = loop
      self.device = device
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

    func follow(_ stream: BatchStream) async {
      do { for try await batch in stream { await device.tell(batch) } } catch {}
    }

    func follow(_ queue: WakingQueue) async {
      var batches: [Batch] = []
      while await queue.take(into: &batches) {
        for batch in batches { await device.tell(batch) }
        batches.removeAll(keepingCapacity: true)
      }
    }

    /// Publishes one batch after the other; each batch wakes the channel's consumer.
    func publish(_ count: Int, through channel: BatchChannel) async {
      var topics = TopicTable()
      _ = topics.subscribe(channel, to: LatencyProbeDevice.batch(0).device)
      for number in 0..<count {
        _ = topics.publish(LatencyProbeDevice.batch(number))
        await Task.yield()
      }
    }

    /// Publishes batches, and drains the channel after each batch as the host does.
    func carry(_ count: Int, through channel: BatchChannel) async {
      var topics = TopicTable()
      _ = topics.subscribe(channel, to: LatencyProbeDevice.batch(0).device)
      var taken: [Batch] = []
      for number in 0..<count {
        _ = topics.publish(LatencyProbeDevice.batch(number))
        channel.drainAll(into: &taken)
        for batch in taken { await device.tell(batch) }
        taken.removeAll(keepingCapacity: true)
      }
    }

    func hop(_ count: Int) async {
      for number in 0..<count { await device.tell(LatencyProbeDevice.batch(number)) }
    }
  }

  /// Measures only the call of the device, with producer and device on one executor.
  static func hop(_ count: Int, on loop: LoopExecutor) async -> Latency {
    let device = LatencyProbeDevice(on: loop)
    await Governor(on: loop, telling: device).hop(count)
    return Latency(device.spans)
  }

  /// Measures with producer and device on one executor, through a topic and a channel. The producer drains
  /// the channel itself after each batch.
  static func drainLatency(_ count: Int, on loop: LoopExecutor) async -> Latency {
    let device = LatencyProbeDevice(on: loop)
    await Governor(on: loop, telling: device).carry(count, through: BatchChannel(.dropOldest(capacity: 64)))
    return Latency(device.spans)
  }

  /// Measures with producer and device on one executor, through a topic and a channel whose stream a task
  /// awaits.
  static func streamLatency(_ count: Int, on loop: LoopExecutor) async -> Latency {
    let device = LatencyProbeDevice(on: loop)
    let governor = Governor(on: loop, telling: device)
    let channel = BatchChannel(.dropOldest(capacity: 64))
    let stream = channel.stream()
    let reader = Spawner.start(on: loop) { await governor.follow(stream) }
    await governor.publish(count, through: channel)
    channel.finish()
    await reader.value
    return Latency(device.spans)
  }

  /// Measures the latency from a separate thread to a sleeping loop. Alternates between the bus and a queue.
  static func thread(_ count: Int, on loop: LoopExecutor, pool: PoolExecutor) async -> (
    channel: Latency, queue: Latency
  ) {
    let devices = (LatencyProbeDevice(on: loop), LatencyProbeDevice(on: loop))
    let governors = (Governor(on: loop, telling: devices.0), Governor(on: loop, telling: devices.1))
    let channel = BatchChannel(.dropOldest(capacity: 64))
    let stream = channel.stream()
    let queue = WakingQueue()
    let first = Spawner.start(on: loop) { await governors.0.follow(stream) }
    let second = Spawner.start(on: loop) { await governors.1.follow(queue) }
    let producer = Spawner.start(on: pool) {
      for number in 0..<count {
        Pause.microseconds(200)
        _ = channel.offer(LatencyProbeDevice.batch(number))
        devices.0.wait(for: number + 1)
        Pause.microseconds(200)
        queue.put(LatencyProbeDevice.batch(number))
        devices.1.wait(for: number + 1)
      }
      channel.finish()
      queue.finish()
    }
    await producer.value
    await first.value
    await second.value
    return (Latency(devices.0.spans), Latency(devices.1.spans))
  }
}
