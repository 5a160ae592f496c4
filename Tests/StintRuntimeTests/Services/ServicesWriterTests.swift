import StintGovernor
import StintModel
import StintPluginHost
import StintServices
import StintUnits
import Testing

@testable import StintRuntime

/// A service with state. Its notice `Counted` promises that the state survives; its notice `Plain` does not.
private struct Counter: PersistentService, ServiceRequest {
  struct Counted: PersistentNotice, Hashable {
    static let kind = "counted"
    var count: Int
    var promisesPersistence: Bool { true }
  }

  struct Plain: ServiceNotice { var text: String }

  enum Command: ServiceCommand {
    case count
    case speak(String)
  }

  static let kind = "counter"
  var count = 0
  var rejectionReason: ServiceFailure? { nil }
  var commandType: (any ServiceCommand.Type)? { Command.self }
  var outlivesClient: Bool { true }

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .command(let command as Command) = event else { return }
    switch command {
    case .count:
      count += 1
      outbox.notify(Counted(count: count))
    case .speak(let text): outbox.notify(Plain(text: text))
    }
  }
}

/// A `ServicesKeeper` whose saves end when the test calls `end`.
private final class HeldDisk: ServicesKeeper {
  private let saves = Locked<[(content: String, report: @Sendable (Problem?) -> Void)]>([])

  var contents: [String] { saves.withLock { $0.map(\.content) } }

  func keep(_ content: [UInt8], report: @escaping @Sendable (Problem?) -> Void) {
    saves.withLock { $0.append((String(decoding: content, as: UTF8.self), report)) }
  }

  /// Ends the save with this index.
  func end(_ place: Int, _ problem: Problem? = nil) { saves.withLock { $0[place].report }(problem) }
}

@Suite("Saving services without waiting for the disk") struct ServicesWriterTests {
  private static let id = ServiceID("app", "count")
  private static let other = ServiceID("app", "other")

  private static func at(_ seconds: Int64) -> Instant { .epoch + .seconds(seconds) }

  /// Returns a `ServiceDesk` with two running counters, whose first save is in progress.
  private static func desk(_ disk: HeldDisk) -> ServiceDesk {
    let governor = Governor(vocabulary: Vocabulary(manifests: []), at: .epoch)
    var desk = ServiceDesk(governor.vocabulary, at: .epoch, carriesTransfers: false)
    desk.save(with: disk)
    desk.connect(governor) { [] }
    desk.add(.attach("app", permissions: .always, mayBackground: true))
    desk.add(.ask(id, Counter(), receivers: .both))
    desk.add(.ask(other, Counter(), receivers: .both))
    _ = desk.step(at: .epoch)
    return desk
  }

  private static func texts(_ outcome: ServiceDesk.Outcome) -> [String] {
    outcome.effects.compactMap { effect in
      guard case .notice(let id, let notice) = effect else { return nil }
      if let counted = notice as? Counter.Counted { return "\(id.name) \(counted.count)" }
      return (notice as? Counter.Plain).map { "\(id.name) \($0.text)" }
    }
  }

  private static func send(
    _ command: Counter.Command, to id: ServiceID = Self.id, _ desk: inout ServiceDesk, at seconds: Int64
  ) -> [String] {
    desk.add(.command(id, command))
    return texts(desk.step(at: at(seconds)))
  }

  @Test(
    "a notice that promises persistence, and later output of its service, wait until the service is saved")
  func promise() {
    let disk = HeldDisk()
    var desk = Self.desk(disk)
    #expect(disk.contents.count == 1 && desk.pendingSave == 1)
    #expect(Self.send(.count, &desk, at: 1).isEmpty)
    #expect(Self.send(.speak("follows"), &desk, at: 1).isEmpty)
    #expect(Self.send(.speak("at once"), to: Self.other, &desk, at: 1) == ["other at once"])
    // The first save does not contain the count. The second save begins when the first save has ended.
    #expect(disk.contents.count == 1 && desk.pendingSave == 2)
    disk.end(0)
    let hasResult = desk.hasInput
    #expect(hasResult)
    #expect(Self.texts(desk.step(at: Self.at(2))).isEmpty)
    #expect(disk.contents.count == 2 && desk.isSettled(1) && !desk.isSettled(2))
    disk.end(1)
    #expect(Self.texts(desk.step(at: Self.at(3))) == ["count 1", "count follows"])
    #expect(desk.pendingSave == nil && !desk.hasInput)
  }

  @Test("when the state changes after each save, output waits only for the save with its own state")
  func noStarvation() {
    let disk = HeldDisk()
    var desk = Self.desk(disk)
    var delivered: [String] = []
    for number in 0..<5 {
      delivered += Self.send(.count, &desk, at: Int64(number))
      disk.end(number)
      delivered += Self.texts(desk.step(at: Self.at(Int64(number))))
    }
    #expect(delivered == ["count 1", "count 2", "count 3", "count 4"])
  }

  @Test("a disk that does not answer for 5 s counts as failed, but its late answer is still used")
  func late() {
    let disk = HeldDisk()
    var desk = Self.desk(disk)
    #expect(Self.send(.count, &desk, at: 1).isEmpty)
    #expect(desk.nextTimer == Self.at(5) && desk.pendingSave != nil)
    let late = desk.step(at: Self.at(5))
    #expect(late.messages.count == 1 && late.messages[0].text.contains("has not answered for 5 s"))
    // No caller waits for such a disk, but the notice that promises persistence still waits.
    #expect(desk.pendingSave == nil && Self.texts(late).isEmpty && disk.contents.count == 1)
    #expect(desk.step(at: Self.at(60)).messages.isEmpty)
    disk.end(0)
    #expect(desk.step(at: Self.at(61)).messages == [.notice("saving the services for a restart works again")])
    disk.end(1)
    #expect(Self.texts(desk.step(at: Self.at(62))) == ["count 1"])
  }

  @Test("a failed save is repeated after 10 s, and the waiting notice is delivered after the new save")
  func failed() {
    let disk = HeldDisk()
    var desk = Self.desk(disk)
    #expect(Self.send(.count, &desk, at: 1).isEmpty)
    disk.end(0, Problem(.file, cause: "the disk is full"))
    #expect(desk.step(at: Self.at(2)).messages.count == 1)
    #expect(disk.contents.count == 1 && desk.nextTimer == Self.at(12))
    #expect(Self.texts(desk.step(at: Self.at(12))).isEmpty && disk.contents.count == 2)
    disk.end(1)
    let again = desk.step(at: Self.at(13))
    #expect(again.messages == [.notice("saving the services for a restart works again")])
    #expect(Self.texts(again) == ["count 1"])
  }

  @Test("output for a client that leaves during a save is saved, and delivered when the client is back")
  func leaving() {
    let disk = HeldDisk()
    var desk = Self.desk(disk)
    #expect(Self.send(.count, &desk, at: 1).isEmpty)
    desk.add(.detach("app"))
    _ = desk.step(at: Self.at(2))
    disk.end(0)
    #expect(Self.texts(desk.step(at: Self.at(3))).isEmpty)
    #expect(disk.contents.last?.contains("counted") == true)
    desk.add(.attach("app", permissions: .always, mayBackground: true))
    #expect(Self.texts(desk.step(at: Self.at(4))).isEmpty)
    for place in 1..<3 {
      disk.end(place)
      let texts = Self.texts(desk.step(at: Self.at(5)))
      #expect(texts == (place == 1 ? [] : ["count 1"]))
    }
  }

  // MARK: A host

  @Test(
    "while the disk does not answer, a host handles other calls, and a call whose state must be saved waits",
    .timeLimit(.minutes(1)))
  func host() throws {
    let isOpen = Monitor(false)
    let written = Monitor(0)
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop)
    let clock = RunClock(start: .epoch, anchor: SystemClock.monotonic(), speed: 1)
    let notify: @Sendable () -> Void = { events.notifyReady() }
    let writer = DiskWriter { (_) throws(Problem) in
      written.changeForAll { $0 += 1 }
      _ = isOpen.wait { $0 ? true : nil }
    }
    try Spawner.run(on: loop) { () async throws -> Void in
      let host = Host(
        governor: Governor(vocabulary: Vocabulary(manifests: []), at: .epoch), plugins: try PluginSet([]))
      await host.serve(keeping: ServicesWriter(writer, notify: notify), restoring: nil, at: .epoch)
      let run = Spawner.start(on: loop) {
        await host.run(
          until: .distantFuture, pace: DaemonClock(events: events, clock: clock), reload: { _, _ in })
        await host.close(at: host.now)
      }
      let isDone = Flag()
      let attached = Spawner.start(on: loop) { () async -> SubmissionOutcome in
        let outcome = await host.submit(
          [.attach("app", permissions: .always, mayBackground: true)], notify: notify)
        isDone.raise()
        return outcome
      }
      await Spawner.runOnThread { _ = written.wait { $0 == 1 ? true : nil } }
      #expect(await host.submit([Input.fact(0, .unknown)], notify: notify) == .done)
      #expect(!isDone.isRaised)
      isOpen.changeForAll { $0 = true }
      #expect(await attached.value == .done)
      #expect(await host.serviceBoard.status(of: "app")?.isAttached == true)
      events.stop()
      await run.value
    }.get()
  }
}
