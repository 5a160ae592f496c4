import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits
import Testing

@testable import StintPluginHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  /// Tests the C example as a library that the test compiles and loads into this process.
  @Suite("Plugins in libraries", .enabled(if: CompiledLibrary.hasCompiler))
  struct LibraryPluginTests {
    private static let on = Setting(isOn: true, period: .milliseconds(100))

    @Test("a library in C delivers facts and samples without a fault")
    func serves() throws {
      let events = try talk(with: try CompiledLibrary()) { set, wait in
        await set.apply(Self.on, to: 0, at: wait.now)
        return await wait.until { if case .batch = $0 { true } else { false } }
      }
      let facts = events.contains { event in
        if case .fact(0, .number(21.5), _) = event { true } else { false }
      }
      #expect(facts)
      for case .batch(let batch, _) in events {
        #expect(batch.samples.allSatisfy { $0.first == 21.5 })
      }
      #expect(!events.contains { if case .outcome(.fault, _) = $0 { true } else { false } })
    }

    @Test("a library serves its device under the name of the site")
    func renamed() throws {
      let events = try talk(with: try CompiledLibrary(), as: "ambient.indoor") { set, wait in
        await set.apply(Self.on, to: 0, at: wait.now)
        return await wait.until { if case .batch = $0 { true } else { false } }
      }
      for case .batch(let batch, _) in events { #expect(batch.device == "ambient.indoor") }
      #expect(!events.contains { if case .outcome(.fault, _) = $0 { true } else { false } })
    }

    @Test("the samples that a quarantined library held are counted as lost and reported")
    func heldByLiar() throws {
      // The library holds four samples and then violates the protocol.
      let liar = try CompiledLibrary(
        replacing: "say(device, STINT_BATCH, &batch);",
        by: "static int held; if (++held == 5) say_at(device, STINT_OPENED);")
      let events = try talk(with: liar) { set, wait in
        await set.apply(Setting(isOn: true, period: .milliseconds(100), isHolding: true), to: 0, at: wait.now)
        return await wait.until { event in
          if case .outcome(.fault(let text), _) = event { text.hasPrefix("lie: ") } else { false }
        }
      }
      let faults = events.compactMap { if case .outcome(.fault(let text), _) = $0 { text } else { nil } }
      #expect(faults.first?.hasSuffix("held samples are lost") == true, "\(faults)")
    }

    @Test(
      "wrong input: a library of another version, without “stint.frames” or without a welcome is rejected",
      arguments: [
        (
          "strcmp(name, STINT_FRAMES) == 0", "strcmp(name, \"stint.frames-draft\") == 0",
          "start: is a plugin without the extension “stint.frames”"
        ),
        (
          "STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, \"", "7, 0, \"",
          "version: uses protocol version 7.0, which is newer than 1.8"
        ),
        (
          "say(device, STINT_WELCOME", "say(device, 0x8001",
          "lie: sent draft 32769 where welcome is expected"
        ),
      ])
    func refused(what: String, other: String, fault: String) throws {
      let events = try talk(with: try CompiledLibrary(replacing: what, by: other)) { _, wait in
        await wait.until { event in
          if case .outcome(.fault(let text), _) = event { text.hasPrefix("quarantined") } else { false }
        }
      }
      let faults = events.compactMap { if case .outcome(.fault(let text), _) = $0 { text } else { nil } }
      #expect(faults == [fault, "quarantined: \(fault)"])
    }

    /// Opens the plugin, runs the body, and closes the plugin. Returns all events.
    private func talk(
      with library: CompiledLibrary, as name: DeviceID? = nil,
      _ body: @escaping @Sendable (PluginSet, EventWait) async -> Bool
    ) throws -> [PortEvent] {
      let loop = try LoopExecutor()
      let wait = EventWait(on: loop)
      var program = ChildProgram(
        name: "library", manifest: try CompiledLibrary.manifest(), path: library.path,
        folder: library.folder.path,
        settings: [PluginSettingEntry("source", .text(library.folder.path + "/temperature"))])
      if let name { program.devices[0].manifest = program.devices[0].manifest.renamed(name) }
      let plugin = LibraryPlugin(program, on: loop) { wait.now }
      let set = try PluginSet([plugin]) { _ in wait.ring() }
      wait.follow(set.members[0].port)
      let came: Result<Bool, Never> = Spawner.run(on: loop) {
        await set.open(at: wait.now)
        let came = await body(set, wait)
        await set.close(at: wait.now)
        return came
      }
      #expect(came == .success(true), "\(wait.events)")
      return wait.events
    }
  }

  extension Manifest {
    /// Returns the manifest with this name of the device. The names of the facts contain this name, too.
    fileprivate func renamed(_ name: DeviceID) -> Manifest {
      var copy = self
      copy.device = name
      for index in facts.indices {
        copy.facts[index].path = facts[index].path.replacing(device.path, with: name.path)
      }
      return copy
    }
  }
#endif
