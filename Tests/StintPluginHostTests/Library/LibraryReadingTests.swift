import StintModel
import StintPluginKit
import StintRuntime
import StintUnits
import Testing

@testable import StintPluginHost

#if os(Linux)
  /// Tests a library in C with two sources, whose facts the host reads on request.
  @Suite("Readings of sources in a library", .enabled(if: CompiledLibrary.hasCompiler))
  struct LibraryReadingTests {
    private static let source = ChildBench.repository + "/Tests/StintPluginHostTests/Library/pair.c"

    private static func manifest(_ device: DeviceID) -> Manifest {
      Manifest(
        device: device, kind: .source, title: "",
        facts: [
          FactSchema(
            path: "\(device).value", type: .quantity(.none), reading: FactReading(every: .seconds(1)))
        ])
    }

    /// Opens both sources, runs the body, and closes them. Returns the events of each source.
    private func talk(
      with library: CompiledLibrary, _ body: @escaping @Sendable (PluginSet, [EventWait]) async -> Bool
    ) throws -> [[PortEvent]] {
      let loop = try LoopExecutor()
      let waits = [EventWait(on: loop), EventWait(on: loop)]
      var program = ChildProgram(
        name: "pair", manifest: Self.manifest("test.left"), path: library.path, folder: library.folder.path,
        settings: [])
      program.devices = ["test.left", "test.right"].map { ProgramDevice(Self.manifest($0)) }
      let set = try PluginSet(LibraryPlugin.plugins(program, on: loop) { waits[0].now }) { waits[$0].ring() }
      for (index, wait) in waits.enumerated() { wait.follow(set.members[index].port) }
      let result: Result<Bool, Never> = Spawner.run(on: loop) {
        await set.open(at: waits[0].now)
        let result = await body(set, waits)
        await set.close(at: waits[0].now)
        return result
      }
      #expect(result == .success(true), "\(waits.map(\.events))")
      return waits.map(\.events)
    }

    private static func values(_ events: [PortEvent]) -> [FactValue] {
      events.compactMap { if case .fact(_, let value, _) = $0 { value } else { nil } }
    }

    @Test("each reading publishes one value of its own source, and no source publishes without a reading")
    func readings() throws {
      let library = try CompiledLibrary(
        Self.source, replacing: "#define _GNU_SOURCE", by: "#define _GNU_SOURCE\n#define SOURCE")
      let all = try talk(with: library) { set, waits in
        func read(_ index: Int, _ count: Int) async -> Bool {
          await (set.members[index].plugin as? any SourcePlugin)?.read(at: waits[index].now)
          return await waits[index].until { _ in Self.values(waits[index].events).count == count }
        }
        guard await read(1, 1), waits[0].events.allSatisfy({ Self.values([$0]).isEmpty }) else {
          return false
        }
        guard await read(0, 1) else { return false }
        return await read(1, 2)
      }
      #expect(all.map(Self.values) == [[.number(2)], [.number(1), .number(3)]])
      for events in all {
        #expect(!events.contains { if case .outcome(.fault, _) = $0 { true } else { false } })
      }
    }
  }
#endif
