import Stint
import StintTestSupport
import StintUnits
import Testing

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The reason why a device whose plugin is a process is unavailable.
  @Suite(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "the plugin is in Python"))
  struct ProcessStatusTests {
    @Test("until a plugin process has started, the refusal of a demand gives this reason")
    func reasons() async throws {
      let folder = TemporaryFolder()
      folder.write("temperature", "21500\n")
      let plugin = Repository.path("Plugins/Thermometer/plugin.json")
      folder.write(
        "site.json",
        """
        {"stint_site": 1, "plugins": [{"process": "\(plugin)",
         "with": {"source": "\(folder.at("temperature"))"}, "allow": ["/sys/devices"]}], "clients": []}
        """)
      let bus = try await Bus(plugins: .site(folder.at("site.json")), clock: .system)
      let app = try await bus.attach("app", authorized: .always)
      let demand = DemandRequest.samples(of: "ambient.temperature", every: .milliseconds(100))
      var isServed = false
      for _ in 0..<3_000 where !isServed {
        do {
          try await app.withDemand(demand) { _ in isServed = true }
        } catch let problem as Problem {
          #expect(problem.code == .unavailable && problem.cause.contains("is starting"), "\(problem)")
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      #expect(isServed)
      await bus.close()
    }
  }
#endif
