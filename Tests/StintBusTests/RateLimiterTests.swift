import StintModel
import StintUnits
import Testing

@testable import StintBus

/// Samples at a subscriber's own pace: never more often, never later, none lost uncounted.
@Suite struct RateLimiterTests {
  /// A machine, and what it was given and gave.
  private struct Course {
    var machine: RateLimiter
    var now = Instant.epoch
    var given: [Sample] = []
    var handed: [Sample] = []
    /// From the oldest sample of each batch to its hand-over.
    var waits: [TimeSpan] = []

    init(_ pace: SubscriberRate) { machine = RateLimiter(pace) }

    /// So many samples, each this much after the one before, published with the last.
    mutating func take(_ count: Int, after gap: TimeSpan) {
      var samples: [Sample] = []
      for _ in 0..<count {
        now = now + gap
        samples.append(Sample(instant: now, sequence: UInt64(given.count + samples.count), 1))
      }
      given += samples
      note(machine.ingest(Batch(device: "motion.gyro", samples: samples, reason: .immediate), at: now))
    }

    /// Time passes, and the machine is woken at its deadlines.
    mutating func pass(_ span: TimeSpan) {
      let end = now + span
      while let deadline = machine.deadline, deadline <= end {
        now = max(now, deadline)
        note(machine.wake(at: now))
      }
      now = end
    }

    mutating func note(_ batch: Batch?) {
      guard let batch else { return }
      handed += batch.samples
      waits.append(now - batch.samples[0].instant)
    }

    /// What is broken, if anything.
    func complaint() -> String? {
      let wanted = handed + machine.gathered
      if wanted.count + machine.thinned != given.count { return "samples are lost" }
      if wanted != wanted.sorted(by: { $0.sequence < $1.sequence }) { return "order is lost" }
      if machine.pace.latency == nil, !machine.gathered.isEmpty { return "gathered without a latency" }
      guard let period = machine.pace.period, let first = wanted.first else { return nil }
      for (place, sample) in wanted.enumerated() {
        if sample.instant - first.instant < TimeSpan(nanoseconds: period.nanoseconds * Int64(place)) {
          return "sample \(place) came too soon"
        }
      }
      // A sample a whole period behind the last one that was wanted is wanted.
      var last = first.instant
      let chosen = Set(wanted.map(\.sequence))
      for sample in given {
        if chosen.contains(sample.sequence) {
          last = sample.instant
        } else if sample.instant - last >= period {
          return "sample \(sample.sequence) was due"
        }
      }
      return nil
    }
  }

  @Test(
    "every sequence of up to eight arrivals and pauses keeps rate, latency and count",
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
        if let complaint = branch.complaint() { return "\(event): \(complaint)" }
        if let rest = walk(branch, length - 1) { return "\(event), \(rest)" }
      }
      return nil
    }
    #expect(walk(Course(pace), 8) == nil)
    #expect(count == 9840)
  }

  @Test("with an owner that wakes it in time, nothing waits longer than the latency")
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

  @Test("a device whose period does not divide the subscriber's still yields the rate that was asked for")
  func rate() {
    var course = Course(SubscriberRate(period: .milliseconds(100)))
    course.take(1000, after: .milliseconds(33))
    #expect(course.handed.count == 330)
  }

  @Test("a flood ends what is gathered, whatever the latency")
  func flood() {
    var course = Course(SubscriberRate(latency: .hours(1)))
    for _ in 0..<3000 { course.take(1, after: .milliseconds(1)) }
    #expect(course.handed.count == 2 * RateLimiter.mostGathered)
    #expect(course.complaint() == nil)
  }

  @Test("subscribers of one device each get their own pace, and their figures say so")
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
