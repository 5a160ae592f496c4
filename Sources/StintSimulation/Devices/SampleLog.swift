import StintModel
import StintPluginKit
import StintUnits

/// The samples that a device holds by itself, and the number of the next one.
struct SampleLog {
  private let device: DeviceID
  /// How many it can hold.
  private let capacity: Int
  private var held: [Sample] = []
  /// Whether a full log forgets its oldest sample for a new one.
  var keepsNewest = false
  private(set) var sequence: UInt64 = 0

  init(_ manifest: Manifest) {
    device = manifest.device
    capacity = manifest.fifo
  }

  var isEmpty: Bool { held.isEmpty }
  var count: Int { keepsNewest ? min(held.count, capacity) : held.count }
  var isFull: Bool { !keepsNewest && held.count >= capacity }

  mutating func append(
    at instant: Instant, _ first: Double, _ second: Double, _ third: Double, _ fourth: Double
  ) {
    held.append(Sample(instant: instant, sequence: sequence, first, second, third, fourth))
    sequence += 1
    // Twice as many are kept, so that forgetting costs little.
    if keepsNewest, held.count >= 2 * max(capacity, 1) { held.removeFirst(held.count - capacity) }
  }

  /// Makes room for this many more, or for as many as it can hold for long.
  mutating func reserve(_ count: Int) { held.reserveCapacity(min(held.count + count, max(capacity, 4096))) }

  /// Hands over what is held; nothing when there is nothing.
  mutating func deliver(to port: DevicePort?, at instant: Instant, reason: HandOver) {
    guard !held.isEmpty else { return }
    let samples = Array(held.suffix(count))
    held = []
    port?.deliver(Batch(device: device, samples: samples, reason: reason), at: instant)
  }
}
