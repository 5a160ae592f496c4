import Stint
import StintModel
import StintPluginKit
import StintSimulation
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
    // Other tests of the process may hold a few threads and descriptors at this moment.
    #expect(try entries(of: "/proc/self/task") < threads + 25)
    #expect(try entries(of: "/proc/self/fd") < descriptors + 25)
  }

  @Test(
    "X08: fifty closed buses with files and a socket keep no descriptors, even if the app keeps the buses")
  func kept() async throws {
    try await Self.withFiles { _ in }
    let descriptors = try entries(of: "/proc/self/fd")
    var buses: [Bus] = []
    for _ in 0..<50 { try await Self.withFiles { buses.append($0) } }
    #expect(buses.count == 50)
    // Other tests of the process may hold a few descriptors at this moment.
    #expect(try entries(of: "/proc/self/fd") < descriptors + 25)
  }

  private static func withFiles(_ body: (Bus) -> Void) async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("policies")
    folder.write("policies/trail.stint", "policy \"trail\" version 1\n")
    var files = Bus.Files()
    files.policies = folder.at("policies")
    files.state = folder.at("state")
    files.journal = folder.at("journal")
    files.control = folder.at("control")
    let device = LinkedPlugin.Device(
      try TickingSensor("location.gnss"), manifestText: ReferencePhone.manifestText("location.gnss"))
    let bus = try await Bus(plugins: .devices([device]), clock: .system, files: files)
    await bus.close()
    body(bus)
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
