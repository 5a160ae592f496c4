import StintFormats
import StintModel
import StintPluginKit
import StintUnits

/// Positions that wait to be handed over, oldest first.
struct GpsdLog {
  /// A stored position that claims to be older than this came with a date that cannot be trusted.
  private static let oldest = TimeSpan.seconds(7 * 86_400)

  private let device: DeviceID
  private let capacity: Int
  private var held: [Sample] = []
  private var sequence: UInt64 = 0
  /// The receiver's time of a report and when it arrived: what ages are counted from.
  private var anchor: (time: Instant, at: Instant)?
  /// The times of stored positions that were taken, newest last: a receiver that is asked again tells them again.
  private var storedTimes: [String] = []

  init(device: DeviceID, capacity: Int) {
    self.device = device
    self.capacity = capacity
  }

  var isFull: Bool { held.count >= capacity }

  mutating func append(
    at instant: Instant, time: String?, values: (Double, Double, Double, Double)
  ) {
    if let time = time.flatMap({ CalendarTime.parse($0) }) { anchor = (time.instant, instant) }
    add(at: instant, values)
  }

  /// A position from the past, unless it was taken before: as much older than the last report as the
  /// receiver's own clock says.
  mutating func appendStored(at instant: Instant, time: String?, values: (Double, Double, Double, Double)) {
    if let time {
      guard !storedTimes.contains(time) else { return }
      if storedTimes.count >= capacity { storedTimes.removeFirst() }
      storedTimes.append(time)
    }
    var age = TimeSpan.zero
    if let time = time.flatMap({ CalendarTime.parse($0) })?.instant {
      if let anchor {
        age = (anchor.time - time) + (instant - anchor.at)
      } else {
        anchor = (time, instant)
      }
    }
    add(at: age > .zero && age < Self.oldest ? instant - age : instant, values)
  }

  private mutating func add(at instant: Instant, _ values: (Double, Double, Double, Double)) {
    held.append(Sample(instant: instant, sequence: 0, values.0, values.1, values.2, values.3))
  }

  /// Hands over what is held, numbered in the order of time; nothing when there is nothing.
  mutating func deliver(to port: DevicePort, at instant: Instant, reason: DeliveryReason) {
    guard !held.isEmpty else { return }
    var samples = held.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }
    .map(\.element)
    held.removeAll(keepingCapacity: true)
    for place in samples.indices {
      samples[place].sequence = sequence
      sequence += 1
    }
    port.deliver(Batch(device: device, samples: samples, reason: reason), at: instant)
  }
}
