import Foundation
import Stint
import Testing

/// A bus in an app does what `stint run` does: plugins in processes, and watched folders of policies.
@Suite struct FullSizeTests {
  /// The texts of the events of a bus.
  private final class Events: Sendable {
    let texts = Locked<[String]>([])

    /// Waits until an event contains the text. Returns false after 20 s.
    func wait(for part: String) async -> Bool {
      for _ in 0..<2_000 {
        if texts.withLock({ $0.contains { $0.contains(part) } }) { return true }
        do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
      }
      return false
    }
  }

  /// The folder of the thermometer in this repository: a plugin in Python, in a process of its own.
  private static let thermometer =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../Plugins/Thermometer"
    ).standardized.path

  @Test(
    "a bus runs a plugin in a process; its samples reach a client, and a policy can use the plugin's device")
  func process() async throws {
    // The source is a file that contains a number. The file is below /sys/devices, the folder that the plugin
    // requests.
    let source = "/sys/devices/system/cpu/cpu0/topology/core_id"
    let text = try String(contentsOfFile: source, encoding: .utf8)
    let number = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    let folder = Folder()
    try folder.write(
      "site.json",
      #"""
      {"stint_site": 1, "plugins": [{"process": "\#(Self.thermometer)/plugin.json",
        "with": {"source": "\#(source)"}, "allow": ["/sys/devices"]}], "clients": []}
      """#)
    let bus = try await Bus(plugins: .site(folder.at("site.json")), clock: .system)
    let app = try await bus.attach("app", authorized: .always)
    // The bus opens after 100 ms even if a process has not started yet. The device of the process is
    // unavailable until the process has started.
    for _ in 0..<2_000 {
      if await bus.devices().contains(where: { $0.name == "ambient.temperature" && $0.isAvailable }) { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    try await app.withDemand(.samples(of: "ambient.temperature", every: .milliseconds(100))) { batches in
      for try await batch in batches {
        let sample = try #require(batch.samples.first)
        #expect(abs(sample.values[0] - number / 1000) < 0.001, "\(sample)")
        break
      }
    }
    let device = try #require(await bus.devices().first { $0.name == "ambient.temperature" })
    #expect(device.isAvailable && device.served.isEmpty)
    try await bus.load(
      text: """
        policy "warm" version 1
        use ambient.temperature as probe
        rule end while probe.temperature > 20 C { stop probe }
        """)
    #expect(bus.policies == ["warm version 1"])
    await bus.close()
  }

  @Test("a line that the process of a plugin prints is an event of the bus, with the device as its subject")
  func output() async throws {
    let folder = Folder()
    try Tool.run("plugin", "new", "talker", "--language", "python", "--into", folder.at("talker"))
    let program = folder.at("talker/talker.py")
    let source = try String(contentsOfFile: program, encoding: .utf8)
    try source.replacingOccurrences(
      of: "if __name__", with: "print(\"calibrated\\x1b[31m\", flush=True)\n\n\nif __name__"
    ).write(toFile: program, atomically: false, encoding: .utf8)
    try Tool.run("plugin", "seal", folder.at("talker"))
    try folder.write(
      "site.json",
      #"""
      {"stint_site": 1, "plugins": [{"process": "talker/plugin.json", "allow": ["/proc/loadavg"]}], "clients": []}
      """#)
    let printed = Locked<[Bus.Event]>([])
    let bus = try await Bus(
      plugins: .site(folder.at("site.json")), clock: .system,
      onEvent: { event in
        if event.kind == .output("custom.talker") { printed.withLock { $0.append(event) } }
      })
    for _ in 0..<2_000 where printed.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
    await bus.close()
    let event = try #require(printed.withLock { $0.first })
    #expect(event.level == .notice)
    // A character that would change the display of a terminal is replaced.
    let text = event.text
    #expect(text.hasPrefix("custom.talker prints: calibrated") && !text.contains("\u{1B}"), "\(text)")
  }

  @Test("an edit, an addition and a removal of a policy in a watched folder come into force")
  func watched() async throws {
    let folder = Folder()
    try folder.makeFolder("policies")
    func write(_ name: String, _ version: Int) throws {
      try folder.write("policies/\(name).stint", Self.policy(name, version))
    }
    try write("trail", 1)
    var files = Bus.Files()
    files.policies = folder.at("policies")
    let events = Events()
    let bus = try await Bus(
      plugins: .linked([Ticker()]), clock: .system, files: files,
      onEvent: { event in events.texts.withLock { $0.append(event.text) } })
    #expect(bus.policies == ["trail version 1"])
    try write("trail", 2)
    #expect(await events.wait(for: "trail version 2"))
    try write("mail", 7)
    #expect(await events.wait(for: "mail version 7"))
    #expect(Set(bus.policies) == ["trail version 2", "mail version 7"])
    events.texts.withLock { $0 = [] }
    try FileManager.default.removeItem(atPath: folder.at("policies/trail.stint"))
    #expect(await events.wait(for: "mail version 7"))
    #expect(bus.policies == ["mail version 7"])
    await bus.close()
  }

  private static func policy(_ name: String, _ version: Int) -> String {
    """
    policy "\(name)" version \(version)
    use location.gnss as gps
    rule \(name) while gps.accuracy > 50 m { downgrade gps to 100 m }
    """
  }

  @Test(
    "a bus does not open when its watched folder has no policy, a policy for missing devices, or a syntax error"
  )
  func unfit() async throws {
    let folder = Folder()
    try folder.makeFolder("policies")
    var files = Bus.Files()
    files.policies = folder.at("policies")
    func problem() async -> Problem? {
      do throws(Problem) {
        await (try Bus(plugins: .linked([Ticker()]), clock: .system, files: files)).close()
        return nil
      } catch { return error }
    }
    let empty = await problem()
    #expect(empty?.cause.contains("no policy") == true, "\(String(describing: empty))")
    try folder.write(
      "policies/other.stint",
      "policy \"other\" version 1\nuse net.wifi as wifi\nrule r while wifi.on { stop wifi }\n")
    let unfit = await problem()
    #expect(unfit?.description.contains("net.wifi") == true, "\(String(describing: unfit))")
    try folder.write("policies/other.stint", "policy \"other\" version 1\nrule r while {\n")
    #expect(await problem()?.code == .badPolicy)
    files.policies = folder.at("policies/other.stint/below")
    #expect(await problem() != nil)
  }
}
