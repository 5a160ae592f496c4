import Stint
import StintModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Counts the resources of the process after buses are closed. The tests run one after the other, because
/// they share these counts. Smaller counts are allowed, because earlier tests may still release resources.
@Suite(.serialized) struct BusCountsTests {
  @Test(
    "X08: opening and closing fifty buses does not increase the numbers of threads and descriptors",
    arguments: [Bus.Clock.system, .virtual])
  func counts(clock: Bus.Clock) async throws {
    try await cycle(clock)
    let (threads, descriptors) = (try entries(of: "/proc/self/task"), try entries(of: "/proc/self/fd"))
    for _ in 0..<50 { try await cycle(clock) }
    #expect(try entries(of: "/proc/self/task") <= threads)
    #expect(try entries(of: "/proc/self/fd") <= descriptors)
  }

  private func cycle(_ clock: Bus.Clock) async throws {
    let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: clock)
    let app = try await bus.attach("app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { _ in }
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
