import StintPluginHost
import StintUnits
import Testing

@Suite("Supervision of a plugin's process")
struct SupervisionTests {
  private static let crash = ChildFailure(.crash, "ended")
  private let events: [Supervision.Event] = [
    .start, .notSpawned(crash), .spawned, .opened, .asked, .answered(waitingSince: .epoch),
    .answered(waitingSince: nil),
    .broke(ChildFailure(.protocolViolation, "lied")), .exited(crash), .close, .alarm,
  ]

  /// A `Supervision` with a model of the process and of the alarm. The effects of each step are applied to
  /// the model.
  private struct Outside {
    var machine: Supervision
    var now = Instant.epoch
    var alarm: Instant?
    var isRunning = false
    var failures = 0
    var spawns = 0
    var isFinished = false

    init(failures: Int) {
      var limits = SupervisionLimits()
      limits.failures = failures
      machine = Supervision(limits: limits)
    }

    /// Sends an event. Returns the error in the effects; nil when they are valid.
    mutating func step(_ event: Supervision.Event) -> String? {
      if event == .alarm { now = alarm.map { max($0, now) } ?? now }
      let wasStarting = machine.state == .starting
      let effects = machine.step(event, at: now)
      switch event {
      case .exited: isRunning = false
      case .notSpawned: if wasStarting { isRunning = false }
      default: break
      }
      if isFinished, !effects.isEmpty { return "\(effects) after the end" }
      for effect in effects {
        switch effect {
        case .spawn:
          if isRunning { return "a second process" }
          isRunning = true
          spawns += 1
        case .kill, .sendClose: if !isRunning { return "\(effect) without a process" }
        case .alarm(let instant):
          if let instant, instant < now { return "an alarm in the past" }
          alarm = instant
        case .serving: if !isRunning { return "serves without a process" }
        case .lost:
          failures += 1
          if failures > spawns { return "lost twice" }
        case .quarantined: if isRunning { return "quarantined while a process runs" }
        case .finished:
          if isRunning { return "finished while a process runs" }
          isFinished = true
        }
      }
      return deadlineFault
    }

    private var deadlineFault: String? {
      switch machine.state {
      case .starting, .closing, .waiting: alarm == nil ? "\(machine.state) without a deadline" : nil
      case .idle, .dying, .quarantined, .finished: alarm != nil ? "\(machine.state) with a deadline" : nil
      case .serving: nil
      }
    }
  }

  private func search(
    _ outside: Outside, _ path: [Supervision.Event], _ depth: Int, _ problems: inout [String]
  ) {
    for event in events {
      var next = outside
      // A process that does not run cannot end.
      if case .exited = event, !next.isRunning { continue }
      if let problem = next.step(event) { problems.append("\(path + [event]): \(problem)") }
      var end = next
      for event in [.close, .alarm, .exited(Self.crash)] as [Supervision.Event] {
        if case .exited = event, !end.isRunning { continue }
        if let problem = end.step(event) { problems.append("\(path) to its end: \(problem)") }
      }
      if !end.isFinished { problems.append("\(path + [event]) cannot be closed") }
      if depth > 1 { search(next, path + [event], depth - 1, &problems) }
    }
  }

  @Test(
    "X07: after up to five events in any order, closing ends the process and the supervision"
  )
  func everyShortSequence() {
    var problems: [String] = []
    search(Outside(failures: 1), [], 5, &problems)
    #expect(problems.prefix(5) == [])
  }

  /// Returns a supervision that serves, started at the epoch.
  private func serving(_ limits: SupervisionLimits = SupervisionLimits()) -> Supervision {
    var machine = Supervision(limits: limits)
    _ = machine.step(.start, at: .epoch)
    _ = machine.step(.opened, at: .epoch)
    return machine
  }

  @Test("X07: the restart delay doubles up to its limit, and too many failures lead to quarantine")
  func backOff() {
    var limits = SupervisionLimits()
    limits.failures = 10
    limits.maxDelay = .seconds(2)
    var machine = serving(limits)
    var now = Instant.epoch
    var waits: [TimeSpan] = []
    while true {
      _ = machine.step(.exited(Self.crash), at: now)
      guard case .waiting(let until, _) = machine.state else { break }
      waits.append(until - now)
      #expect(machine.step(.alarm, at: until - TimeSpan(nanoseconds: 1)) == [])
      now = until
      #expect(machine.step(.alarm, at: now).first == .spawn)
      #expect(machine.step(.opened, at: now).first == .serving)
    }
    #expect(
      waits.map(\.nanoseconds)
        == [200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000, 2000].map { $0 * 1_000_000 })
    #expect(machine.state == .quarantined(Self.crash))
    #expect(machine.restarts == 10)
  }

  @Test("X07: failures outside the time window do not count")
  func forgets() {
    var machine = serving()
    var now = Instant.epoch
    for _ in 0..<20 {
      _ = machine.step(.exited(Self.crash), at: now)
      guard case .waiting(let until, _) = machine.state else {
        Issue.record("quarantined after a failure every six minutes")
        return
      }
      #expect(until - now == .milliseconds(200))
      _ = machine.step(.alarm, at: until)
      _ = machine.step(.opened, at: until)
      now = now + .minutes(6)
    }
  }

  @Test("X07: a permanent failure leads to quarantine without a restart")
  func permanentFailure() {
    var machine = Supervision()
    _ = machine.step(.start, at: .epoch)
    let failure = ChildFailure(.version, "uses protocol version 9").permanent
    #expect(
      machine.step(.notSpawned(failure), at: .epoch) == [
        .lost(failure), .quarantined(failure), .alarm(nil),
      ])
    #expect(machine.step(.close, at: .epoch) == [.finished])
  }

  @Test("X07: a request has a deadline, counted from the request or from a later answer")
  func deadlines() {
    var machine = Supervision()
    #expect(machine.step(.start, at: .epoch) == [.spawn, .alarm(.epoch + .seconds(30))])
    #expect(machine.step(.spawned, at: .epoch) == [.alarm(.epoch + .seconds(5))])
    #expect(machine.step(.opened, at: .epoch + .seconds(1)) == [.serving, .alarm(nil)])
    let asked = Instant.epoch + .seconds(10)
    #expect(machine.step(.asked, at: asked) == [.alarm(asked + .seconds(2))])
    #expect(machine.step(.asked, at: asked + .seconds(1)) == [])
    #expect(
      machine.step(.answered(waitingSince: asked + .seconds(1)), at: asked + .seconds(1)) == [
        .alarm(asked + .seconds(3))
      ])
    let late = ChildFailure(.hang, "did not answer within \(TimeSpan.seconds(2))")
    #expect(machine.step(.alarm, at: asked + .seconds(3)) == [.kill, .lost(late), .alarm(nil)])
    // The end of the killed process does not change the reason.
    _ = machine.step(.exited(Self.crash), at: asked + .seconds(3))
    #expect(machine.state == .waiting(until: asked + .milliseconds(3200), late))
  }

  @Test("X07: when the program's files are not read in time, the start fails and is repeated")
  func lateFiles() {
    var machine = Supervision()
    _ = machine.step(.start, at: .epoch)
    let late = ChildFailure(
      .hang, "cannot be started: its files could not be read within \(TimeSpan.seconds(30))")
    #expect(machine.step(.alarm, at: .epoch + .seconds(30)) == [.kill, .lost(late), .alarm(nil)])
    _ = machine.step(.exited(Self.crash), at: .epoch + .seconds(30))
    #expect(machine.state == .waiting(until: .epoch + .milliseconds(30_200), late))
  }

  @Test("X07: a process that does not close is killed, and the kill is not a failure")
  func closes() {
    var machine = serving()
    #expect(machine.step(.close, at: .epoch) == [.sendClose, .alarm(.epoch + .seconds(2))])
    #expect(machine.step(.alarm, at: .epoch + .seconds(2)) == [.kill, .alarm(nil)])
    #expect(machine.step(.exited(Self.crash), at: .epoch + .seconds(2)) == [.finished])
  }
}
