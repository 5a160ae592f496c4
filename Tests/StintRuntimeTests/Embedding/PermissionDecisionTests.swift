import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An operator's decisions about the permissions of clients, sent to the control socket of a bus with a
/// state file.
@Suite struct PermissionDecisionTests {
  private final class Events: Sendable {
    let all = Locked<[String]>([])
    func contain(_ text: String) -> Bool { all.withLock { $0.contains { $0.contains(text) } } }

    /// Waits for an event with this text, for a bounded number of yields.
    func wait(for text: String) async {
      for _ in 0..<1_000_000 {
        if contain(text) { return }
        await Task.yield()
      }
    }
  }

  private func bus(_ folder: TemporaryFolder, _ events: Events = Events()) async throws -> Bus {
    var files = Bus.Files()
    files.state = folder.at("state")
    files.control = folder.at("control")
    let phone = try ReferencePhone(scenario: "day-hike")
    return try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart), files: files,
      onEvent: { event in events.all.withLock { $0.append("\(event)") } })
  }

  private func permit(_ client: String, _ more: String, _ folder: TemporaryFolder) async throws -> String {
    try await ClientProgram.ask(#"{"ask":"permit","client":"\#(client)"\#(more)}"#, at: folder.at("control"))
  }

  @Test(
    "an operator's decision applies to one capability, survives a restart and overrides the app's permission")
  func restart() async throws {
    let folder = TemporaryFolder()
    let first = try await bus(folder)
    _ = try await first.attach("app", authorized: .always)
    let reply = try await permit("app", #","permission":{"location":"denied"}"#, folder)
    #expect(reply.contains(#""ok":true"#) && reply.contains("location denied, precision precise"))
    await first.close()

    let second = try await bus(folder)
    let app = try await second.attach("app", authorized: .always)
    #expect(await app.permissions == Client.Permissions(location: .denied))
    await app.authorize(Client.Permissions(motion: .denied))
    #expect(await app.permissions == Client.Permissions(location: .denied, motion: .denied))
    let reset = try await permit("app", #","reset":true"#, folder)
    #expect(reset.contains("location always, precision precise, motion denied"))
    #expect(await app.permissions == Client.Permissions(motion: .denied))
    await second.close()
    let third = try await bus(folder)
    #expect(try await third.attach("app", authorized: .always).permissions == .always)
    await third.close()
  }

  @Test("a decision that cannot be saved is refused and changes nothing, even after a restart")
  func goneDisk() async throws {
    let folder = TemporaryFolder()
    let first = try await bus(folder)
    let app = try await first.attach("app", authorized: .always)
    let granted = try await permit("app", #","permission":{"motion":"denied"}"#, folder)
    #expect(granted.contains(#""ok":true"#), "\(granted)")
    let list = folder.at("state.permissions")
    // A folder in place of the file cannot be replaced by a file.
    #expect(rename(list, folder.at("kept")) == 0 && mkdir(list, 0o755) == 0)
    for decision in [#","permission":{"location":"denied"}"#, #","reset":true"#] {
      let reply = try await permit("app", decision, folder)
      #expect(reply.contains(#""ok":false"#) && reply.contains("nothing was changed"), "\(reply)")
    }
    #expect(await app.permissions == Client.Permissions(motion: .denied))
    let status = try await ClientProgram.ask(#"{"ask":"status"}"#, at: folder.at("control"))
    #expect(!status.contains("is not saved"), "\(status)")
    #expect(rmdir(list) == 0 && rename(folder.at("kept"), list) == 0)
    let reply = try await permit("app", #","permission":{"location":"when_in_use"}"#, folder)
    #expect(reply.contains(#""ok":true"#), "\(reply)")
    await first.close()
    let second = try await bus(folder)
    let permissions = try await second.attach("app", authorized: .always).permissions
    #expect(permissions == Client.Permissions(location: .whenInUse, motion: .denied))
    await second.close()
  }

  @Test("decisions that are made at the same time are all in force and saved")
  func together() async throws {
    let folder = TemporaryFolder()
    let control = folder.at("control")
    let first = try await bus(folder)
    for number in 0..<8 { _ = try await first.attach("app-\(number)", authorized: .always) }
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<8 {
        for words in [#"{"motion":"denied"}"#, #"{"location":"denied"}"#] {
          let question = #"{"ask":"permit","client":"app-\#(number)","permission":\#(words)}"#
          group.addTask { try await ClientProgram.ask(question, at: control) }
        }
      }
      for try await reply in group { #expect(reply.contains(#""ok":true"#), "\(reply)") }
    }
    await first.close()
    let second = try await bus(folder)
    for number in 0..<8 {
      let app = try await second.attach("app-\(number)", authorized: .always)
      #expect(await app.permissions == Client.Permissions(location: .denied, motion: .denied))
    }
    await second.close()
  }

  @Test("invalid decisions are refused with the cause, and change nothing")
  func misuse() async throws {
    let folder = TemporaryFolder()
    let bus = try await bus(folder)
    let app = try await bus.attach("app", authorized: .whenInUse)
    for (client, more, cause) in [
      ("stranger", "", "there is no client “stranger”"),
      ("app", #","permission":{"location":"often"}"#, "unknown word “often”"),
      ("app", #","permission":{"camera":"granted"}"#, "no key is named “camera” here"),
      ("app", #","permission":{"motion":"denied"},"reset":true"#, "exclude each other"),
    ] {
      let reply = try await permit(client, more, folder)
      #expect(reply.contains(#""ok":false"#) && reply.contains(cause), "\(reply)")
    }
    #expect(await app.permissions == .whenInUse)
    await bus.close()
  }

  @Test(
    "a permission request is reported; the operator's decision answers it and is reported with its author"
  )
  func question() async throws {
    let folder = TemporaryFolder()
    let events = Events()
    let bus = try await bus(folder, events)
    let program = try await ClientProgram(attach: "trail-app", at: folder.at("control"))
    _ = try await permit("trail-app", #","permission":{"motion":"undecided"}"#, folder)
    try program.send(
      #"{"request":{"id":1,"kind":"permission","capability":"motion","purpose":"to count steps"}}"#)
    _ = try await program.line { $0.contains("accepted") }
    // The bus reports its events on one task, and answers the program on another task.
    await events.wait(for: "to count steps")
    #expect(events.contain("to count steps"))
    _ = try await permit("trail-app", #","permission":{"motion":"granted"}"#, folder)
    let answer = try await program.line { $0.contains(#""permission":"motion""#) }
    #expect(answer == #"{"event":{"id":1,"permission":"motion"}}"#)
    await events.wait(for: "requested by user \(getuid())")
    #expect(events.contain("requested by user \(getuid())"))
    await bus.close()
  }

  @Test("notices that waited for an app are coarse or gone when the app returns with fewer permissions")
  func waiting() async throws {
    for (permissions, isGone) in [(Client.Permissions(precision: .coarse), false), (.denied, true)] {
      let phone = try ReferencePhone(scenario: "commute")
      let bus = try await Bus(
        plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
      let app = try await bus.attach("app", authorized: .always)
      _ = try await app.ask("moves", for: MovesRequest())
      await app.detach()
      try await bus.advance(by: .seconds(3 * 3600))
      let again = try await bus.attach("app", authorized: permissions)
      let notices = await again.notices(of: "moves")
      await again.end("moves")
      var positions: [Fix] = []
      for await notice in notices {
        switch notice as? MoveNotice {
        case .moved(let fixes): positions += fixes
        case .cached(let fix, _): positions.append(fix)
        default: continue
        }
      }
      #expect(positions.isEmpty == isGone, "\(permissions)")
      #expect(positions.allSatisfy { $0.accuracy >= 3000 }, "\(positions)")
      await bus.close()
    }
  }

  @Test("a motion request for a location receiver needs the permission for precise positions")
  func receiver() async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("app", authorized: Client.Permissions(precision: .coarse))
    let error = await #expect(throws: Problem.self) {
      try await app.ask("trick", for: MotionRequest(MotionKind("location.gnss"), interval: .seconds(1)))
    }
    #expect(error?.code.name == "denied")
    await bus.close()
  }

  @Test("a coarse fix lies on the grid of coarse positions for every radius, and its speed is 0")
  func grid() throws {
    let place = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let near = try #require(Coordinate(latitude: 47.0501, longitude: 8.3101))
    let pole = try #require(Coordinate(latitude: 90, longitude: 12.34))
    for radius in [4.0, 3000, 5000] {
      let fixes = [place, near, pole].map { place in
        Fix(
          instant: .epoch, coordinate: place, accuracy: radius, speed: 3, device: "location.gnss")
      }
      guard case .fixes(let coarse)? = LocationNotice.fixes(fixes).coarsened as? LocationNotice else {
        Issue.record("the notice has changed its kind")
        return
      }
      #expect(coarse[0].coordinate == coarse[1].coordinate && coarse[0].coordinate != place)
      #expect(coarse[2].coordinate != pole)
      #expect(coarse.allSatisfy { $0.accuracy == max(radius, 3000) && $0.speed == 0 })
    }
  }
}
