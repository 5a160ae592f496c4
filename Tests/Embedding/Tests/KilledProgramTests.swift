import Foundation
import Stint
import StintSimulation
import Testing

/// Programs that end while events wait for them. The daemon counts the events that it could not send.
@Suite struct KilledProgramTests {
  /// Returns whether a line is an event with data. The daemon counts lost events of this kind.
  private static func isEvent(_ line: String) -> Bool {
    line.hasPrefix(#"{"event":"#) && !line.hasPrefix(#"{"event":{"id":1,"lost":"#)
  }

  private final class Counter: Sendable {
    let number = Locked(0)
    func note(_ line: String) { if isEvent(line) { number.withLock { $0 += 1 } } }
  }

  /// Reads the lines of a program up to the answer to a message without effect, and returns the number of
  /// events.
  private static func events(of program: Program) async throws -> Int {
    program.send(#"{"end":{"id":99}}"#)
    let counter = Counter()
    _ = try await program.line { line in
      counter.note(line)
      return line.hasPrefix(#"{"problem":{"id":99"#)
    }
    return counter.number.withLock { $0 }
  }

  /// Reads the lines that the system still holds for a program whose connection has ended. Returns the number
  /// of events.
  private static func lastEvents(of program: Program) async -> Int {
    let counter = Counter()
    do {
      _ = try await program.line { line in
        counter.note(line)
        return false
      }
    } catch {
      // The connection ends after the last line, so the read fails there.
    }
    return counter.number.withLock { $0 }
  }

  /// Returns the number of unreceived events in the status of the daemon.
  private static func unreceived(at path: String) async throws -> Int {
    let status = try await Program.ask(#"{"ask":"status"}"#, at: path)
    let reply = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    let report = try #require(reply?["report"] as? [String: Any])
    let text = report["dropped"] as? String ?? ""
    return text.firstMatch(of: /events that programs did not receive: (\d+)/).flatMap { Int($0.1) } ?? 0
  }

  @Test("F10: each event that a killed program did not receive is counted in the status, and logged")
  func killed() async throws {
    let folder = Folder()
    let phone = Stage.phone()
    var files = Bus.Files()
    files.control = folder.at("control")
    let texts = Locked<[String]>([])
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), files: files,
      onEvent: { event in if event.kind == .left("killed") { texts.withLock { $0.append(event.text) } } })
    let killed = try await Program(attach: "killed", at: folder.at("control"))
    let other = try await Program(attach: "other", at: folder.at("control"))
    for program in [killed, other] {
      program.send(#"{"presence":"foreground"}"#)
      program.send(#"{"request":{"id":1,"kind":"motion","of":"acceleration","rate":"50 Hz"}}"#)
      _ = try await program.line { $0.hasPrefix(#"{"accepted""#) }
    }
    var all = 0
    for _ in 0..<40 {
      try await bus.advance(by: .seconds(5))
      all += try await Self.events(of: other)
    }
    killed.leave()
    let received = await Self.lastEvents(of: killed)
    let lost = try await Self.unreceived(at: folder.at("control"))
    #expect(received > 0 && lost > 0 && received + lost == all, "\(received) + \(lost), \(all)")
    let left = texts.withLock { $0 }
    #expect(left.contains { $0.contains("“killed” left before it received ") }, "\(left)")
    // A program that has read everything leaves no unread events.
    other.leave()
    _ = await Self.lastEvents(of: other)
    #expect(try await Self.unreceived(at: folder.at("control")) == lost)
    await bus.close()
  }
}
