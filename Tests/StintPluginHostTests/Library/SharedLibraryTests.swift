import StintModel
import StintPluginKit
import StintRuntime
import StintUnits
import Testing

@testable import StintPluginHost

#if os(Linux)
  /// Tests a library in C with two devices, which the test compiles and loads into this process.
  @Suite("Libraries with several devices", .enabled(if: CompiledLibrary.hasCompiler))
  struct SharedLibraryTests {
    private static let source = ChildBench.repository + "/Tests/StintPluginHostTests/Library/pair.c"

    private static func manifest(_ device: DeviceID) -> Manifest {
      Manifest(
        device: device, kind: .sensor, title: "",
        states: [
          .init(name: "off", power: .zero, isOn: false),
          .init(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
        ],
        transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)],
        channels: [.init(name: "value", unit: "items")],
        facts: [FactSchema(path: "\(device).value", type: .quantity(.none))])
    }

    /// Opens both devices, runs the body, and closes them. Returns the events of each device.
    private func talk(
      with library: CompiledLibrary,
      _ body: @escaping @Sendable (PluginSet, [EventWait]) async -> Bool
    ) throws -> [[PortEvent]] {
      let loop = try LoopExecutor()
      let waits = [EventWait(on: loop), EventWait(on: loop)]
      var program = ChildProgram(
        name: "pair", manifest: Self.manifest("test.left"), path: library.path, folder: library.folder.path,
        settings: [])
      // The site renames the second device.
      program.devices = [
        ProgramDevice(Self.manifest("test.left")),
        ProgramDevice(Self.manifest("test.other"), own: Self.manifest("test.right")),
      ]
      let plugins = LibraryPlugin.plugins(program, on: loop) { waits[0].now }
      let set = try PluginSet(plugins) { waits[$0].ring() }
      for (index, wait) in waits.enumerated() { wait.follow(set.members[index].port) }
      let came: Result<Bool, Never> = Spawner.run(on: loop) {
        await set.open(at: waits[0].now)
        let came = await body(set, waits)
        await set.close(at: waits[0].now)
        return came
      }
      #expect(came == .success(true), "\(waits.map(\.events))")
      return waits.map(\.events)
    }

    private static func isBatch(_ event: PortEvent) -> Bool {
      if case .batch = event { true } else { false }
    }

    private func values(_ events: [PortEvent]) -> [Double] {
      events.compactMap { if case .batch(let batch, _) = $0 { batch.samples[0].first } else { nil } }
    }

    @Test("two devices of one library have separate settings, facts and samples, and names of the site")
    func serves() throws {
      let all = try talk(with: try CompiledLibrary(Self.source)) { set, waits in
        await set.apply(Setting(isOn: true), to: 1, at: waits[0].now)
        guard await waits[1].until(Self.isBatch), !waits[0].events.contains(where: Self.isBatch) else {
          return false
        }
        await set.apply(Setting(isOn: true), to: 0, at: waits[0].now)
        return await waits[0].until(Self.isBatch)
      }
      #expect(values(all[0]) == [1] && values(all[1]) == [2])
      for (events, device) in zip(all, ["test.left", "test.other"] as [DeviceID]) {
        for case .batch(let batch, _) in events { #expect(batch.device == device) }
        #expect(!events.contains { if case .outcome(.fault, _) = $0 { true } else { false } })
      }
    }

    @Test("a violation by one device of a library makes all its devices unavailable")
    func violation() throws {
      let liar = try CompiledLibrary(
        Self.source, replacing: "about(device, STINT_FACT)", by: "about(device + 7, STINT_FACT)")
      let all = try talk(with: liar) { set, waits in
        await set.apply(Setting(isOn: true), to: 0, at: waits[0].now)
        let isGone = await waits[1].until { if case .available(false, _) = $0 { true } else { false } }
        return isGone && (set.members[1].plugin as? LibraryPlugin)?.status.failure != nil
      }
      for events in all {
        let faults = events.compactMap { if case .outcome(.fault(let text), _) = $0 { text } else { nil } }
        #expect(faults.first == "lie: addressed device 7, but it has 2 devices", "\(faults)")
      }
    }
  }
#endif
