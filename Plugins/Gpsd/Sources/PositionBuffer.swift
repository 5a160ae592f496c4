import StintFormats
import StintModel
import StintPluginKit
import StintUnits

/// The positions that wait for delivery. `deliver` sorts them by time.
struct PositionBuffer {
  /// The maximum age of a stored position. A larger age means that the date of the position is wrong.
  private static let oldest = TimeSpan.seconds(7 * 86_400)

  private let device: DeviceID
  private let capacity: Int
  private var held: [Sample] = []
  private var sequence: UInt64 = 0
  /// The receiver's time in a report, and the instant at which that report arrived. The ages of stored
  /// positions are computed from this pair.
  private var anchor: (time: Instant, at: Instant)?
  /// The times of the stored positions that were accepted, newest last. A receiver may send a stored position
  /// more than once.
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

  /// Appends a stored position unless it was accepted before. The sample's instant is the arrival minus the
  /// position's age. The age is the receiver's current time, computed from `anchor`, minus the position's
  /// time. When the age is unknown, negative or above `oldest`, the sample's instant is the arrival.
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

  /// Delivers the held positions, numbered in the order of time; does nothing when no position is held.
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
