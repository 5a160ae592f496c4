import StintModel
import StintUnits
import Testing

@testable import StintRuntime

@Suite("File accesses on other threads")
struct FileWorkerTests {
  /// A file access that lasts until the test ends it.
  private final class SlowFile: Sendable {
    private let isOpen = Monitor(false)
    func answer() { isOpen.changeForAll { $0 = true } }
    func read() -> Int { isOpen.wait { $0 ? 7 : nil } }
  }

  private final class Lines: Sendable {
    private let lines = Locked<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private let lines = Lines()

  private func worker(on loop: LoopExecutor) -> FileWorker {
    FileWorker(on: loop, timeout: .milliseconds(20), log: RunLog { [lines] line, _ in lines.add(line) })
  }

  @Test("an access that ends in time returns its result, and logs nothing")
  func inTime() throws {
    let loop = try LoopExecutor()
    let worker = worker(on: loop)
    let value = Spawner.run(on: loop) { () async throws(Problem) -> Int in
      try await worker.run("reading", "a file") { 7 }
    }
    #expect(value == .success(7))
    #expect(worker.problems == [] && lines.all == [])
  }

  @Test(
    "a late access gives an error and a line in the log, and is listed in `problems` until the access ends")
  func timedOut() throws {
    let loop = try LoopExecutor()
    let worker = worker(on: loop)
    let file = SlowFile()
    let answered = Promise<Bool>()
    let seen = Spawner.run(on: loop) { () async -> (code: Problem.Code?, listed: [String], after: [String]) in
      var code: Problem.Code?
      do throws(Problem) {
        _ = try await worker.run("reading", "a file", whenLate: { answered.fill(true) }) { file.read() }
      } catch {
        code = error.code
      }
      let listed = worker.problems
      file.answer()
      _ = await answered.value()
      return (code, listed, worker.problems)
    }.get()
    #expect(seen.code == .timedOut)
    #expect(seen.listed == ["a file: reading has not been answered for 0 s"])
    #expect(seen.after == [])
    #expect(lines.all.first?.contains("reading was not answered within 20 ms") == true)
    #expect(lines.all.last?.hasPrefix("a file has answered after") == true)
  }

  @Test("while a file does not respond, a further access to it fails and starts no second thread")
  func oneThread() throws {
    let loop = try LoopExecutor()
    let worker = worker(on: loop)
    let file = SlowFile()
    let starts = Lines()
    let failures = Spawner.run(on: loop) { () async -> Int in
      var failures = 0
      for _ in 0..<3 {
        do throws(Problem) {
          _ = try await worker.run("reading", "a file") {
            starts.add("start")
            return file.read()
          }
        } catch {
          failures += 1
        }
      }
      return failures
    }.get()
    file.answer()
    #expect(failures == 3)
    #expect(starts.all == ["start"])
  }

  @Test("the loop runs other tasks while a file does not respond")
  func othersRun() throws {
    let loop = try LoopExecutor()
    let worker = FileWorker(on: loop, log: .none)
    let file = SlowFile()
    let value = Spawner.run(on: loop) { () async throws(Problem) -> Int in
      // This task ends the access, so it must run on the loop during the access.
      Spawner.start(on: loop) { file.answer() }
      return try await worker.run("reading", "a file") { file.read() }
    }
    #expect(value == .success(7))
  }
}
