import StintGovernor
import StintJournal
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

/// Tests of scenarios in which the disk is full or memory is low.
@Suite(.checkedPhones) struct PhoneFaultTests {
  private func strike(_ kind: InjectedFault.Kind, at second: Int64, for seconds: Int64) -> InjectedFault {
    InjectedFault(device: InjectedFault.phone, at: .seconds(second), duration: .seconds(seconds), kind: kind)
  }

  @Test(
    "while the disk is full, no task is confirmed as saved, but transfers run; the log shows this period")
  func disk() async throws {
    let folder = try ScratchFolder()
    let room = DiskFullSwitch()
    let phone = try await Phone(
      devices: PhoneTransferBench.devices, faults: [strike(.disk, at: 100, for: 200)], room: room)
    let path = folder.path + "/services.json"
    let file = ServicesFile(path, room: room)
    await phone.host.serve(keeping: file, restoring: nil, at: Phone.start)
    await phone.attach("mail")
    var line = PhoneTransferBench(phone)
    await line.ask()
    await line.submit("before", TransferRequest(.download(from: "https://example.org/a"), bytesDown: 1000))
    await line.run(until: 150)
    let saved = try FileText.read(path)
    await line.submit("during", TransferRequest(.download(from: "https://example.org/b"), bytesDown: 1000))
    await line.run(until: 299)
    // The transfer runs nevertheless, its notices wait, and the saved file is unchanged.
    #expect(line.attempts.map(\.exchange.task) == ["before", "during"])
    #expect(accepted(line) == ["before"])
    #expect(line.finished() == ["before"])
    #expect(try FileText.read(path) == saved)
    await line.run(until: 400)
    #expect(accepted(line) == ["before", "during"])
    #expect(line.finished() == ["before", "during"])
    let told = line.told().filter { $0.second > 150 }.map(\.second)
    #expect(told.allSatisfy { $0 >= 300 && $0 <= 310 }, "\(told)")
    #expect(try FileText.read(path) != saved)
    let notes = phone.observer.everything.notes.map(\.text)
    #expect(notes.count == 2, "\(notes)")
    #expect(notes.first?.contains("the disk is full") == true)
    #expect(notes.last == "saving the services for a restart works again")
    await phone.expectInvariants()
  }

  private func accepted(_ line: PhoneTransferBench) -> [String] {
    line.told().compactMap { if case .accepted(let task) = $0.notice { task } else { nil } }
  }

  @Test("a journal whose disk was full for a while is intact and has lost no record")
  func journal() throws {
    let folder = try ScratchFolder()
    let room = DiskFullSwitch()
    let path = folder.path + "/journal"
    let writer = try JournalWriter(creating: path, room: room)
    let instant = Phone.start
    try writer.append(kind: 1, at: instant, [1])
    try writer.synchronize()
    room.isFull = true
    try writer.append(kind: 1, at: instant, [2])
    let error = #expect(throws: Problem.self) { try writer.flush() }
    #expect(error?.code == .full)
    try writer.append(kind: 1, at: instant + .seconds(5), [3])
    room.isFull = false
    try writer.append(kind: 1, at: instant + .seconds(10), [4])
    try writer.synchronize()
    var reader = try JournalReader(path: path)
    var payloads: [[UInt8]] = []
    while let record = try reader.next() { payloads.append(record.payload) }
    #expect(payloads == [[1], [2], [3], [4]])
    #expect(writer.lostRecords == 0)
  }

  @Test(
    "when memory is low, held positions are delivered at once, none is lost, and rules read `memory.low`")
  func memory() async throws {
    let phone = try await Phone(
      [Leg(activity: .walking, duration: .hours(1), speed: 1.4, heading: 0)],
      devices: ["location.gnss", "host.app", "motion.accelerometer"],
      declares: [FactSchema(path: "memory.low", type: .boolean)],
      facts: [(0, "app.state", "background")], faults: [strike(.memory, at: 300, for: 60)],
      policy: """
        use motion.accelerometer as accel
        rule short while memory.low { stop accel }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
    await phone.run(until: 60)
    await phone.command("app", "way", LocationCommand.deferUpdates(1, time: .minutes(30)))
    await phone.run(until: 299)
    let before = phone.notices(LocationNotice.self, for: "app").count
    await phone.run(until: 300.5)
    let told = phone.notices(LocationNotice.self, for: "app").dropFirst(before)
    #expect(told.map(\.second).allSatisfy { $0 == 300 })
    let ends = told.filter { $0.notice == .deferralEnded(1, .full) }
    #expect(ends.count == 1, "\(told.map(\.notice))")
    let fixes = told.flatMap { entry -> [Fix] in
      if case .fixes(let fixes) = entry.notice { fixes } else { [] }
    }
    #expect(fixes.count >= 200)
    let short = RuleID(policy: "test", rule: "short")
    #expect(await phone.host.snapshot.rulesInForce.contains(short))
    await phone.run(until: 400)
    #expect(await !phone.host.snapshot.rulesInForce.contains(short))
    #expect(phone.observer.everything.notes.map(\.text) == ["memory is low", "memory is no longer low"])
    await phone.expectInvariants()
  }
}
