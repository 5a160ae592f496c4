import StintModel
import StintUnits
import Testing

@testable import StintBus

/// Subscriptions with a minimum period between samples. On average, a subscriber gets at most one sample per
/// period, or one sample per 7/8 of the period when the device's own period is nearly as long as this period.
/// A sample that is at least one period later than the last received sample is never dropped.
@Suite struct SubscriberPeriodTests {
  /// A subscriber, and the samples that were published for it.
  private struct Course {
    var table = TopicTable()
    let channel = BatchChannel(.dropOldest(capacity: 10_000))
    let period: TimeSpan
    var now = Instant.epoch
    var given: [Sample] = []

    init(_ period: TimeSpan) {
      self.period = period
      _ = table.subscribe(channel, to: "motion.gyro", period: period)
    }

    /// Publishes one batch of `count` samples. Each sample is `gap` after the previous sample.
    mutating func publish(_ count: Int, after gap: TimeSpan) {
      var samples: [Sample] = []
      for _ in 0..<count {
        now = now + gap
        samples.append(Sample(instant: now, sequence: UInt64(given.count + samples.count), 1))
      }
      given += samples
      _ = table.publish(Batch(device: "motion.gyro", samples: samples, reason: .immediate))
    }

    var received: [Sample] { channel.drainAll().flatMap(\.samples) }

    /// Returns a description of a violated property; nil when all properties hold.
    func violation(_ received: [Sample]) -> String? {
      guard let first = received.first else { return given.isEmpty ? nil : "nothing was received" }
      for (place, sample) in received.enumerated() {
        if sample.instant - first.instant < TimeSpan(nanoseconds: period.nanoseconds * Int64(place)) {
          return "sample \(place) was delivered too early"
        }
      }
      // A sample at least one period after the last received sample must be delivered.
      var last = first.instant
      let chosen = Set(received.map(\.sequence))
      for sample in given {
        if chosen.contains(sample.sequence) {
          last = sample.instant
        } else if sample.instant - last >= period {
          return "sample \(sample.sequence) was left out"
        }
      }
      return nil
    }
  }

  @Test(
    "for every sequence of eight batches of three kinds, the received samples respect the period",
    arguments: [TimeSpan.milliseconds(3), .milliseconds(5)])
  func everySequence(period: TimeSpan) {
    var count = 0
    for sequence in 0..<6561 {
      var course = Course(period)
      var rest = sequence
      for _ in 0..<8 {
        switch rest % 3 {
        case 0: course.publish(1, after: .milliseconds(2))
        case 1: course.publish(3, after: .milliseconds(1))
        default: course.publish(1, after: .milliseconds(6))
        }
        rest /= 3
      }
      if let violation = course.violation(course.received) { Issue.record("\(sequence): \(violation)") }
      count += 1
    }
    #expect(count == 6561)
  }

  @Test("a subscriber gets its rate even when the device's period is no divisor of the subscriber's period")
  func rate() {
    var course = Course(.milliseconds(100))
    course.publish(1000, after: .milliseconds(33))
    #expect(course.received.count == 330)
  }

  @Test(
    "a subscriber with the device's rate loses no sample, even when the device is slightly fast or irregular")
  func unevenDevice() {
    for gaps: [Int64] in [[960], [1040], [1100, 900], [1000, 1200, 900]] {
      var course = Course(.milliseconds(1000))
      for number in 0..<1000 { course.publish(1, after: .milliseconds(gaps[number % gaps.count])) }
      #expect(course.received.count == 1000, "\(gaps)")
    }
  }

  /// Publishes samples every 20 ms.
  private func publish(_ count: Int, in table: inout TopicTable, after number: inout UInt64) {
    for _ in 0..<count {
      number += 1
      let instant = Instant(nanoseconds: Int64(number) * 20_000_000)
      let sample = Sample(instant: instant, sequence: number, 1)
      _ = table.publish(Batch(device: "motion.gyro", samples: [sample], reason: .immediate))
    }
  }

  @Test("a changed period applies from the next sample on")
  func changed() throws {
    var table = TopicTable()
    let channel = BatchChannel(.dropOldest(capacity: 1000))
    let id = table.subscribe(channel, to: "motion.gyro")
    var number: UInt64 = 0
    publish(50, in: &table, after: &number)
    table.setPeriod(.milliseconds(200), of: id)
    publish(50, in: &table, after: &number)
    table.setPeriod(nil, of: id)
    publish(50, in: &table, after: &number)
    #expect(channel.drainAll().count == 50 + 5 + 50)
  }

  @Test("each subscriber of a device gets its own rate")
  func several() {
    var table = TopicTable()
    let all = BatchChannel(.dropOldest(capacity: 200))
    let few = BatchChannel(.dropOldest(capacity: 200))
    _ = table.subscribe(all, to: "motion.gyro")
    _ = table.subscribe(few, to: "motion.gyro", period: .milliseconds(100))
    var number: UInt64 = 0
    publish(100, in: &table, after: &number)
    #expect(all.drainAll().count == 100)
    #expect(few.drainAll().count == 20)
  }
}
