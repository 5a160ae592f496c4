import StintUnits
import Testing

@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The tests are serialized, because a process can have only one port for signals.
@Suite(.serialized) struct LoopEventsTests {
  @Test func `readiness from another thread ends a wait without a deadline`() throws {
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop)
    let pool = try PoolExecutor(threads: 1)
    Spawner.start(on: pool) { events.notifyReady() }
    #expect(Spawner.run(on: loop) { () async -> LoopEvent in await events.next() } == .success(.ready))
    pool.shutdown()
  }

  @Test func `a deadline ends a wait, and a passed deadline ends it at once`() throws {
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop)
    let now = SystemClock.monotonic()
    let told = Spawner.run(on: loop) { () async -> [LoopEvent] in
      [await events.next(until: now), await events.next(until: now + .milliseconds(2))]
    }
    #expect(told == .success([.deadline, .deadline]))
    #expect(SystemClock.monotonic() >= now + .milliseconds(2))
  }

  /// Waits like a host, from an actor: the loop runs other jobs between the call and the wait.
  private actor Asker {
    /// Returns the first round whose deadline was lost; nil when no deadline was lost.
    func lostRound(of events: LoopEvents, rounds: Int) async -> Int? {
      for round in 0..<rounds {
        let ahead = TimeSpan(nanoseconds: Int64(round % 11) * 1_000 + Int64(round % 7) * 143)
        guard await events.next(until: SystemClock.monotonic() + ahead) == .deadline else { return round }
      }
      return nil
    }
  }

  /// With 64 other tasks, the loop handles its timers before the job of the waiting task.
  @Test(arguments: [0, 64])
  func `a deadline that passes between the call and the wait is not lost`(otherTasks: Int) throws {
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop)
    // Without this timer, a lost deadline would block the test.
    let rescue = loop.schedule(at: SystemClock.monotonic() + .seconds(5)) { events.notifyReady() }
    let lost = Spawner.run(on: loop) { () async -> Int? in
      let busy = (0..<otherTasks).map { _ in
        Spawner.start(on: loop) { while !Task.isCancelled { await Task.yield() } }
      }
      let lost = await Asker().lostRound(of: events, rounds: 3_000)
      for task in busy {
        task.cancel()
        await task.value
      }
      return lost
    }
    loop.unschedule(rescue)
    #expect(lost == .success(nil))
  }

  @Test func `a signal is delivered as an event and does not end the process`() throws {
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop, signals: [SIGUSR1, SIGUSR2])
    kill(getpid(), SIGUSR2)
    #expect(
      Spawner.run(on: loop) { () async -> LoopEvent in await events.next() } == .success(.signal(SIGUSR2)))
  }

  @Test func `a signal is delivered although every deadline has already passed`() throws {
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop, signals: [SIGUSR1])
    kill(getpid(), SIGUSR1)
    let told = Spawner.run(on: loop) { () async -> LoopEvent in
      var event = LoopEvent.deadline
      while event == .deadline { event = await events.next(until: MonotonicInstant(nanoseconds: 0)) }
      return event
    }
    #expect(told == .success(.signal(SIGUSR1)))
  }

  @Test func `a cancelled wait returns the cancellation`() throws {
    let loop = try LoopExecutor()
    let events = try LoopEvents(on: loop)
    let told = Spawner.run(on: loop) { () async -> LoopEvent in
      let waiting = Spawner.start(on: loop) { await events.next() }
      await Task.yield()
      waiting.cancel()
      return await waiting.value
    }
    #expect(told == .success(.cancelled))
  }

  #if os(Linux)
    @Test func `an edit in a watched folder is reported once, after the burst`() throws {
      let folder = TemporaryFolder()
      let loop = try LoopExecutor()
      let watcher = try FolderWatcher([.folder(folder.path, suffix: ".stint")])
      let events = try LoopEvents(on: loop, watching: watcher)
      folder.write("hiking.stint", "one")
      folder.write("notes.txt")
      folder.write("hiking.stint", "two")
      let path = folder.at("hiking.stint")
      let told = Spawner.run(on: loop) { () async -> LoopEvent in await events.next() }
      #expect(told == .success(.filesChanged([FileChange(path: path, kind: .written)])))
    }
  #endif
}
