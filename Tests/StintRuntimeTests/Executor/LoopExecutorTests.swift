import StintUnits
import Testing

@testable import StintRuntime

@Suite struct LoopExecutorTests {
  private struct Refusal: Error, Equatable {}

  @Test func `a closure runs to its end and returns its value or its typed error`() throws {
    let loop = try LoopExecutor()
    let value = Spawner.run(on: loop) { () async -> Int in
      await Task.yield()
      return 7
    }
    #expect(value == .success(7))
    let failure = Spawner.run(on: loop) { () async throws(Refusal) -> Int in throw Refusal() }
    #expect(failure == .failure(Refusal()))
  }

  @Test func `child tasks, yields and plain actors stay on the calling thread`() throws {
    let loop = try LoopExecutor()
    let here = currentThread()
    let threads = Spawner.run(on: loop) { () async -> Set<UInt64> in
      let recorder = Recorder()
      return await withTaskGroup(of: UInt64.self) { group in
        for number in 0..<10 {
          group.addTask {
            await recorder.add("\(number)")
            await Task.yield()
            return currentThread()
          }
        }
        return await group.reduce(into: []) { $0.insert($1) }
      }
    }
    #expect(threads == .success([here]))
  }

  private func interleaving() throws -> [String] {
    let loop = try LoopExecutor()
    let entries = Spawner.run(on: loop) { () async -> [String] in
      let first = Recorder()
      let second = Recorder()
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<6 {
          group.addTask {
            for step in 0..<5 {
              await first.add("\(task).\(step)")
              if step.isMultiple(of: task + 1) { await Task.yield() }
              await second.add("\(task):\(step)")
            }
          }
        }
      }
      return await first.entries + second.entries
    }
    return entries.get()
  }

  @Test func `six tasks on two actors interleave equally in every run`() throws {
    let expected = try interleaving()
    #expect(expected.count == 60)
    for _ in 0..<50 { #expect(try interleaving() == expected) }
  }

  @Test func `a call from any thread to an actor bound to a loop runs on the loop's thread`() async throws {
    let thread = try LoopThread()
    let counter = BoundCounter(loop: thread.loop)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { await counter.note() } }
    }
    let loopThread = await Spawner.start(on: thread.loop) { currentThread() }.value
    #expect(await counter.threads == [loopThread])
    thread.shutdown()
  }

  @Test func `jobs from another thread wake a sleeping loop, and no job is lost`() throws {
    let loop = try LoopExecutor()
    let pool = try PoolExecutor(threads: 2)
    let sum = Spawner.run(on: loop) { () async -> Int in
      var sum = 0
      for number in 0..<500 {
        sum += await Spawner.start(on: pool) { number }.value
      }
      return sum
    }
    pool.shutdown()
    #expect(sum == .success(124_750))
  }

  @Test func `sleeping tasks wake in order of their deadlines and never early`() throws {
    let loop = try LoopExecutor()
    let start = SystemClock.monotonic()
    let order = Spawner.run(on: loop) { () async -> [Int] in
      await withTaskGroup(of: Int.self) { group in
        for milliseconds in [3, 1, 2] {
          group.addTask {
            let deadline = start + .milliseconds(Int64(milliseconds))
            let slept = await loop.sleep(until: deadline)
            return slept && SystemClock.monotonic() >= deadline ? milliseconds : -1
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(order == .success([1, 2, 3]))
  }

  @Test func `a cancelled sleep ends at once and returns false`() throws {
    let loop = try LoopExecutor()
    let slept = Spawner.run(on: loop) { () async -> [Bool] in
      let far = SystemClock.monotonic() + .hours(1)
      let sleeper = Spawner.start(on: loop) { await loop.sleep(until: far) }
      await Task.yield()
      sleeper.cancel()
      let early = Spawner.start(on: loop) { await loop.sleep(until: far) }
      early.cancel()
      return [await sleeper.value, await early.value]
    }
    #expect(slept == .success([false, false]))
  }

  @Test func `a task waits for a descriptor to be readable`() throws {
    let loop = try LoopExecutor()
    let pipe = try WakePipe()
    let bytes = Spawner.run(on: loop) { () async -> [UInt8] in
      let reader = Spawner.start(on: loop) { await loop.waitUntilReadable(pipe.readEnd) ? pipe.drain() : [] }
      await Task.yield()
      pipe.write(42)
      return await reader.value
    }
    #expect(bytes == .success([42]))
  }

  @Test func `a timer fires although the loop always has jobs`() throws {
    let loop = try LoopExecutor()
    let turned = Spawner.run(on: loop) { () async -> Bool in
      let deadline = SystemClock.monotonic() + .milliseconds(1)
      let sleeper = Spawner.start(on: loop) { await loop.sleep(until: deadline) }
      let busy = Spawner.start(on: loop) { while !Task.isCancelled { await Task.yield() } }
      let slept = await sleeper.value
      busy.cancel()
      return slept
    }
    #expect(turned == .success(true))
  }

  @Test(
    "`checkAgain()` has an effect when it is called after the check of the condition and before the sleep"
  )
  func checkAgain() throws {
    let loop = try LoopExecutor()
    let hasSlept = Flag()
    _ = loop.schedule(at: SystemClock.monotonic() + .seconds(5)) { hasSlept.raise() }
    var isFinished = false
    loop.run {
      defer {
        // The change comes after the check of this condition and before the sleep.
        isFinished = true
        loop.checkAgain()
      }
      return isFinished
    }
    #expect(!hasSlept.isRaised)
  }
}
