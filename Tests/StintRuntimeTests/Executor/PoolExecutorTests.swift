import Testing

@testable import StintRuntime

@Suite struct PoolExecutorTests {
  @Test(arguments: [1, 2, 4])
  func `every job runs once, on the pool's threads`(threads: Int) throws {
    let here = currentThread()
    let pool = try PoolExecutor(threads: threads)
    let results = Spawner.run(on: pool) { () async -> (sum: Int, threads: Set<UInt64>) in
      await withTaskGroup(of: (Int, UInt64).self) { group in
        for number in 1...2000 { group.addTask { (number, currentThread()) } }
        return await group.reduce(into: (0, [])) { total, next in
          total.0 += next.0
          total.1.insert(next.1)
        }
      }
    }
    pool.shutdown()
    let found = results.get()
    #expect(found.sum == 2_001_000)
    #expect(found.threads.count <= threads)
    #expect(!found.threads.contains(here))
  }

  @Test("`shutdown` returns for a pool that never ran a job") func idlePool() throws {
    let pool = try PoolExecutor(threads: 3)
    pool.shutdown()
  }
}
