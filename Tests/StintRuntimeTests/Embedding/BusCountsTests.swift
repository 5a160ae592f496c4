import Stint
import StintModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Resources that a process still uses after its buses are closed. The suite runs alone, because other tests
/// also use threads and descriptors.
@Suite(.enabled(if: isAlone, "set STINT_ALONE=1 and run this suite alone"))
struct BusCountsTests {
  @Test("X08: opening and closing a hundred buses leaves the numbers of threads and descriptors unchanged")
  func counts() async throws {
    try await cycle()
    let (threads, descriptors) = (try entries(of: "/proc/self/task"), try entries(of: "/proc/self/fd"))
    for _ in 0..<100 { try await cycle() }
    #expect(try entries(of: "/proc/self/task") == threads)
    #expect(try entries(of: "/proc/self/fd") == descriptors)
  }

  private func cycle() async throws {
    let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual)
    let app = try await bus.attach("app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      for try await _ in batches { break }
    }
    await bus.close()
  }

  private func entries(of folder: String) throws -> Int {
    let stream = try #require(opendir(folder))
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count
  }
}

private let isAlone = getenv("STINT_ALONE") != nil
