import StintModel
import StintPluginKit
import StintUnits

/// The samples that wait for delivery, oldest first.
struct SampleBuffer {
  private let device: DeviceID
  private let capacity: Int
  private var held: [Sample] = []
  private var sequence: UInt64 = 0
  /// The instant of the last appended sample.
  private var last = Instant(nanoseconds: .min)

  init(device: DeviceID, capacity: Int) {
    self.device = device
    self.capacity = capacity
  }

  var isFull: Bool { held.count >= capacity }

  /// Appends a sample. If its instant is not later than the instant of the previous sample, the sample gets
  /// the instant of the previous sample plus 1 ns.
  mutating func append(at instant: Instant, _ values: SIMD3<Double>) {
    last = last == Instant(nanoseconds: .min) ? instant : max(instant, last + TimeSpan(nanoseconds: 1))
    held.append(Sample(instant: last, sequence: sequence, values.x, values.y, values.z))
    sequence += 1
  }

  /// Delivers the held samples, if there are any. Returns the instant of the delivery: `instant`, or the
  /// instant of the last sample if that instant is later.
  mutating func deliver(to port: DevicePort, at instant: Instant, reason: DeliveryReason) -> Instant {
    guard !held.isEmpty else { return instant }
    let now = max(instant, last)
    port.deliver(Batch(device: device, samples: held, reason: reason), at: now)
    held.removeAll(keepingCapacity: true)
    return now
  }
}
