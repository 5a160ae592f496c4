import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct LocationPartsTests {
  private typealias Part = PartContext

  // MARK: LocationDemand

  @Test("a changed setting replaces the demand, and the old demand delivers its held fixes until it ends")
  func replacedDemand() {
    var demand = LocationDemand()
    var outbox = Part.outbox
    demand.update(DemandSettings(accuracy: 10), on: Part.receiver, again: false, &outbox)
    demand.update(DemandSettings(accuracy: 10), on: Part.receiver, again: false, &outbox)
    #expect(Part.lines(outbox) == ["raise #1"])
    demand.update(DemandSettings(accuracy: 50), on: Part.receiver, again: false, &outbox)
    #expect(Part.lines(outbox) == ["raise #1", "raise #2", "release #1"])
    #expect(demand.delivers(DemandID(1)) && demand.delivers(DemandID(2)) && demand.isDraining)
    let hasEnded = demand.end(DemandID(1))
    #expect(hasEnded)
    #expect(!demand.delivers(DemandID(1)) && !demand.isDraining && demand.isRaised)
  }

  @Test("in a phase that needs no demand, the demand is released and its device is forgotten")
  func releasedDemand() {
    var demand = LocationDemand()
    var outbox = Part.outbox
    demand.update(DemandSettings(), on: Part.receiver, again: false, &outbox)
    let grant = Grant(status: .served, provider: Part.receiver, period: .seconds(5))
    let isOther = demand.note(grant, of: DemandID(9))
    let isOwn = demand.note(grant, of: DemandID(1))
    #expect(!isOther && isOwn)
    #expect(demand.provider == Part.receiver && demand.period == .seconds(5) && demand.status == .served)
    demand.update(nil, on: Part.receiver, again: false, &outbox)
    #expect(!demand.isRaised && demand.provider == nil && demand.status == nil)
    demand.update(nil, on: Part.receiver, again: false, &outbox)
    #expect(Part.lines(outbox) == ["raise #1", "release #1"])
  }

  // MARK: FixQueue

  private func selection(_ seconds: Int64, distance: Double? = nil, isUnfiltered: Bool = false)
    -> FixQueue.Selection
  {
    FixQueue.Selection(
      now: Part.at(seconds), maxAge: .seconds(10), period: .seconds(1), distance: distance,
      isUnfiltered: isUnfiltered, isBlurred: false)
  }

  @Test("a fix that arrives twice is added once, and fixes are delivered in order of time")
  func order() {
    var queue = FixQueue(distance: nil)
    var ladder = PositioningLadder(10)
    let isAdded = queue.add([Part.fix(3), Part.fix(4)], of: Part.receiver, every: nil, isBounded: true)
    #expect(isAdded)
    let isRepeated = queue.add([Part.fix(4)], of: Part.receiver, every: nil, isBounded: true)
    #expect(!isRepeated)
    let isOther = queue.add([Part.fix(2, of: "other")], of: "other", every: nil, isBounded: true)
    #expect(isOther)
    let delivered = queue.deliver(selection(4), &ladder)
    #expect(delivered.map(\.instant) == [Part.at(2), Part.at(3), Part.at(4)])
    #expect(queue.isEmpty)
  }

  @Test("the distance filter drops fixes near the last delivered fix, but never drops deferred fixes")
  func distance() {
    var ladder = PositioningLadder(10)
    for isUnfiltered in [false, true] {
      var queue = FixQueue(distance: 50)
      _ = queue.add(
        [Part.fix(1), Part.fix(2, north: 20), Part.fix(3, north: 80)], of: Part.receiver, every: nil,
        isBounded: true)
      let delivered = queue.deliver(
        selection(3, distance: 50, isUnfiltered: isUnfiltered), &ladder)
      #expect(delivered.count == (isUnfiltered ? 3 : 2))
    }
  }

  @Test("after a pause, poor fixes are withheld until a good fix arrives or the time limit has passed")
  func settling() {
    var ladder = PositioningLadder(10)
    for (accuracy, second, count) in [(80.0, Int64(5), 0), (10, 5, 1), (80, 31, 1)] {
      var queue = FixQueue(distance: nil)
      queue.withholdPoor(until: Part.at(30))
      queue.fire(at: Part.at(second))
      _ = queue.add([Part.fix(second, accuracy: accuracy)], of: Part.receiver, every: nil, isBounded: true)
      let delivered = queue.deliver(selection(second), &ladder)
      #expect(delivered.count == count, "\(accuracy) m at \(second) s")
    }
  }

  @Test("a client with a period gets one fix per period")
  func rate() {
    var queue = FixQueue(distance: nil)
    var ladder = PositioningLadder(10)
    for second in Int64(1)...30 {
      _ = queue.add([Part.fix(second)], of: Part.receiver, every: .seconds(10), isBounded: true)
    }
    let delivered = queue.deliver(selection(30), &ladder)
    #expect(delivered.count == 3)
  }

  // MARK: Deferrals

  @Test("a second deferral cancels the first, and the end of each deferral is reported once")
  func deferrals() {
    var deferrals = Deferrals()
    deferrals.begin(Deferral(1, distance: nil, time: .seconds(60), at: Part.at(0), odometer: nil))
    deferrals.begin(Deferral(2, distance: nil, time: .seconds(90), at: Part.at(10), odometer: nil))
    #expect(deferrals.deadline == Part.at(100))
    let early = deferrals.reached(at: Part.at(99), odometer: nil)
    let due = deferrals.reached(at: Part.at(100), odometer: nil)
    #expect(early.isEmpty && due == [.time(.seconds(90))])
    let ends = [deferrals.end(.full), deferrals.end(.full)]
    #expect(ends == [true, false])
    let numbers = deferrals.drainEnds().map(\.number)
    #expect(numbers == [1, 2])
    #expect(!deferrals.hasEnds && deferrals.deadline == .distantFuture)
  }

  // MARK: LocationPhase

  @Test(
    "updates pause after a rest whose length depends on the activity, and resume when a probe finds movement"
  )
  func rest() throws {
    var phase = LocationPhase(.fitness)
    let place = Part.fix(0).coordinate
    var change: LocationPhase.Change?
    for second in Int64(0)...200 where change == nil {
      change = phase.observe(
        place, radius: 5, isGood: true, lasting: .seconds(10), mayPause: true, at: Part.at(second))
    }
    guard case .pause(let rest) = try #require(change) else {
      Issue.record("expected a pause after the rest, but the change is \(String(describing: change))")
      return
    }
    phase.pause(at: rest, isWatched: false, at: Part.at(200))
    #expect(phase.isPaused && !phase.needsPositions)
    let probe = phase.nextTimer(nil)
    let begun = phase.timer(nil, at: probe)
    #expect(begun == .probe && phase.needsPositions)
    let far = place.moved(north: 500, east: 0)
    let ended = phase.observe(
      far, radius: 5, isGood: true, lasting: .seconds(10), mayPause: true, at: probe)
    #expect(ended == .resume)
  }

  @Test("without a good fix, updates are suspended for a growing time, or until movement begins")
  func attempts() {
    let schedule = RetrySchedule(attemptDuration: .minutes(1), wait: .minutes(5), longestWait: .minutes(10))
    var phase = LocationPhase(.other)
    phase.beginAttempt(at: Part.at(0))
    #expect(phase.nextTimer(schedule) == Part.at(60) && phase.nextTimer(nil) == .distantFuture)
    var changes = [phase.timer(schedule, at: Part.at(59)), phase.timer(schedule, at: Part.at(60))]
    changes.append(phase.move(true, begins: false, at: Part.at(100)))
    changes.append(phase.move(true, begins: true, at: Part.at(100)))
    #expect(changes == [nil, .rest(until: Part.at(360)), nil, .retry])
    phase.retry()
    phase.beginAttempt(at: Part.at(100))
    let second = phase.timer(schedule, at: Part.at(160))
    #expect(second == .rest(until: Part.at(760)))
  }
}
