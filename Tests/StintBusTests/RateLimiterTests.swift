import StintModel
import StintUnits
import Testing

@testable import StintBus

/// Samples at a subscriber's rate: never too often, never too late, and every loss is counted.
@Suite struct RateLimiterTests {
  /// A rate limiter with its inputs and outputs.
  private struct Course {
    var limiter: RateLimiter
    var now = Instant.epoch
    var given: [Sample] = []
    var passed: [Sample] = []
    /// For each batch, the time from its oldest sample to its delivery.
    var waits: [TimeSpan] = []

    init(_ pace: SubscriberRate) { limiter = RateLimiter(pace) }

    /// Passes one batch of `count` samples. Each sample is `gap` after the previous one; the batch is
    /// published at the instant of the last sample.
    mutating func take(_ count: Int, after gap: TimeSpan) {
      var samples: [Sample] = []
      for _ in 0..<count {
        now = now + gap
        samples.append(Sample(instant: now, sequence: UInt64(given.count + samples.count), 1))
      }
      given += samples
      note(limiter.ingest(Batch(device: "motion.gyro", samples: samples, reason: .immediate), at: now))
    }

    /// Advances time and wakes the limiter at its deadlines.
    mutating func pass(_ span: TimeSpan) {
      let end = now + span
      while let deadline = limiter.deadline, deadline <= end {
        now = max(now, deadline)
        note(limiter.wake(at: now))
      }
      now = end
    }

    mutating func note(_ batch: Batch?) {
      guard let batch else { return }
      passed += batch.samples
      waits.append(now - batch.samples[0].instant)
    }

    /// Returns a description of a violated property; nil when all hold.
    func violation() -> String? {
      let wanted = passed + limiter.gathered
      if wanted.count + limiter.thinned != given.count { return "samples were lost" }
      if wanted != wanted.sorted(by: { $0.sequence < $1.sequence }) { return "samples are out of order" }
      if limiter.pace.latency == nil, !limiter.gathered.isEmpty { return "gathered without a latency" }
      guard let period = limiter.pace.period, let first = wanted.first else { return nil }
      for (place, sample) in wanted.enumerated() {
        if sample.instant - first.instant < TimeSpan(nanoseconds: period.nanoseconds * Int64(place)) {
          return "sample \(place) was delivered too early"
        }
      }
      // A sample at least one period after the last wanted sample must be delivered.
      var last = first.instant
      let chosen = Set(wanted.map(\.sequence))
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
    "every sequence of up to eight arrivals and pauses respects rate, latency and counts",
    arguments: [
      SubscriberRate.everything, SubscriberRate(period: .milliseconds(5)),
      SubscriberRate(latency: .milliseconds(6)),
      SubscriberRate(period: .milliseconds(3), latency: .milliseconds(7)),
    ])
  func everySequence(pace: SubscriberRate) {
    var count = 0
    func walk(_ course: Course, _ length: Int) -> String? {
      guard length > 0 else { return nil }
      for event in 0..<3 {
        var branch = course
        switch event {
        case 0: branch.take(1, after: .milliseconds(2))
        case 1: branch.take(3, after: .milliseconds(1))
        default: branch.pass(.milliseconds(4))
        }
        count += 1
        if let violation = branch.violation() { return "\(event): \(violation)" }
        if let rest = walk(branch, length - 1) { return "\(event), \(rest)" }
      }
      return nil
    }
    #expect(walk(Course(pace), 8) == nil)
    #expect(count == 9840)
  }

  @Test("no sample waits longer than the latency when the owner calls wake in time")
  func latency() {
    var course = Course(SubscriberRate(latency: .milliseconds(10)))
    for _ in 0..<50 {
      course.pass(.milliseconds(3))
      course.take(1, after: .zero)
      course.pass(.zero)
    }
    #expect(!course.waits.isEmpty)
    #expect(course.waits.allSatisfy { $0 == .milliseconds(10) })
  }

  @Test("a subscriber gets its rate even when the device's period is no divisor of the subscriber's period")
  func rate() {
    var course = Course(SubscriberRate(period: .milliseconds(100)))
    course.take(1000, after: .milliseconds(33))
    #expect(course.passed.count == 330)
  }

  @Test("a device that runs a little fast or unevenly loses no sample at the subscriber's own rate")
  func unevenDevice() {
    for gaps: [Int64] in [[960], [1040], [1100, 900], [1000, 1200, 900]] {
      var course = Course(SubscriberRate(period: .milliseconds(1000)))
      for number in 0..<1000 { course.take(1, after: .milliseconds(gaps[number % gaps.count])) }
      #expect(course.passed.count == 1000, "\(gaps)")
    }
  }

  @Test("a changed rate applies from the next sample on, and the counts are not reset")
  func changed() throws {
    var table = TopicTable()
    let channel = BatchChannel(.dropOldest(capacity: 1000))
    let id = table.subscribe(channel, to: "motion.gyro")
    var number: UInt64 = 0
    func publish(_ count: Int) {
      for _ in 0..<count {
        number += 1
        let instant = Instant(nanoseconds: Int64(number) * 20_000_000)
        let sample = Sample(instant: instant, sequence: number, 1)
        _ = table.publish(Batch(device: "motion.gyro", samples: [sample], reason: .immediate))
      }
    }
    publish(50)
    table.setPace(SubscriberRate(period: .milliseconds(200)), of: id)
    publish(50)
    table.setPace(nil, of: id)
    publish(50)
    var batches: [Batch] = []
    channel.drainAll(into: &batches)
    #expect(batches.count == 50 + 5 + 50)
    #expect(table.figures(of: id)?.thinned == 45)
  }

  @Test("too many gathered samples are delivered before the latency has passed")
  func flood() {
    var course = Course(SubscriberRate(latency: .hours(1)))
    for _ in 0..<3000 { course.take(1, after: .milliseconds(1)) }
    #expect(course.passed.count == 2 * RateLimiter.mostGathered)
    #expect(course.violation() == nil)
  }

  @Test("each subscriber of a device gets its own rate, and its statistics agree")
  func table() throws {
    var table = TopicTable()
    let all = BatchChannel(.dropOldest(capacity: 200))
    let few = BatchChannel(.dropOldest(capacity: 200))
    let late = BatchChannel(.dropOldest(capacity: 200))
    let ids = [
      table.subscribe(all, to: "motion.gyro", pace: .everything),
      table.subscribe(few, to: "motion.gyro", pace: SubscriberRate(period: .milliseconds(100))),
      table.subscribe(late, to: "motion.gyro", pace: SubscriberRate(latency: .milliseconds(500))),
    ]
    for number in 0..<100 {
      let instant = Instant(nanoseconds: Int64(number) * 20_000_000)
      while let deadline = table.nextDeadline, deadline <= instant { table.wake(at: deadline) }
      let sample = Sample(instant: instant, sequence: UInt64(number), 1)
      let batch = Batch(device: "motion.gyro", samples: [sample], reason: .immediate)
      #expect(table.publish(batch, at: instant).reached == 3)
    }
    let figures = try ids.map { try #require(table.figures(of: $0)) }
    #expect(figures.map(\.delivered) == [100, 20, 75])
    #expect(figures.map(\.thinned) == [0, 80, 0])
    #expect(figures.map(\.gathered) == [0, 0, 25])
    #expect(figures.map(\.rate) == [50, 10, 50])
    #expect(figures[0].longestLatency == .zero)
    #expect(figures[2].longestLatency == .milliseconds(500))
    #expect(late.drainAll().map(\.samples.count) == [25, 25, 25])
    table.finish("motion.gyro")
    #expect(late.drainAll().map(\.reason) == [.ended])
    #expect(table.figures(of: ids[0]) == nil)
  }
}
