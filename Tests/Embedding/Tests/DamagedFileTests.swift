import Foundation
import Stint
import StintSimulation
import Testing

/// Saved files with invalid content: the bus starts without them, keeps them, and reports the problem.
@Suite struct DamagedFileTests {
  private final class Events: Sendable {
    private let list = Locked<[Bus.Event]>([])

    var all: [Bus.Event] { list.withLock { $0 } }

    func add(_ event: Bus.Event) { list.withLock { $0.append(event) } }
  }

  private func bus(_ path: String, _ events: Events) async throws -> Bus {
    let phone = Stage.phone()
    return try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), services: path,
      onEvent: { events.add($0) })
  }

  @Test(
    "a damaged services file is kept under another name, and one event contains both names",
    arguments: ["", "{", #"{"stint_services":3,"serv"#, #"{"stint_services": 99, "services": {}}"#])
  func damaged(text: String) async throws {
    let folder = Folder()
    let path = folder.at("services.json")
    for name in ["services.json.refused", "services.json.refused-2"] {
      try folder.write("services.json", text)
      let events = Events()
      let bus = try await bus(path, events)
      let app = try await bus.attach("app", authorized: .always)
      _ = try await app.ask("visits", for: VisitsRequest())
      await bus.close()
      let notes = events.all.filter { $0.text.contains(path) }
      #expect(notes.count == 1 && notes.first?.level == .refusal)
      #expect(notes.first?.text.contains("its content is now in \(folder.at(name))") == true, "\(notes)")
      #expect(try String(contentsOfFile: folder.at(name), encoding: .utf8) == text)
      // The services of this run are saved in a new file, which the next bus reads.
      let next = Events()
      let second = try await self.bus(path, next)
      let again = try await second.attach("app", authorized: .always)
      #expect(await again.notices(of: "visits").end == nil, "the service was resumed")
      #expect(!next.all.contains { $0.text.contains(path) })
      await second.close()
    }
  }
}
