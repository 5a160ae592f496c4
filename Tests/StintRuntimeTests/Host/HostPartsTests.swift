import StintBus
import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintServices
import StintUnits
import Testing

@testable import StintRuntime

/// Tests each part of `Host` without a host.
@Suite struct HostPartsTests {
  /// A device without behaviour. The tests use its port to send reports.
  private actor StubDevice: DevicePlugin {
    nonisolated let manifest: Manifest
    init(_ name: String) {
      manifest = Manifest(
        device: DeviceID(name), kind: .source, title: "",
        facts: [FactSchema(path: "\(name).level", type: .boolean, maxAge: .seconds(10))])
    }
    func open(_ port: DevicePort, at instant: Instant) {}
    func apply(_ setting: Setting, at instant: Instant) {}
    func wake(at instant: Instant, horizon: Instant) {}
    func close(at instant: Instant) {}
  }

  private static func at(_ seconds: Int64) -> Instant { .epoch + .seconds(seconds) }

  private static func members(_ names: String...) throws -> [PluginMember] {
    try PluginSet(names.map { StubDevice($0) }).members
  }

  private static func batch(
    _ device: DeviceID, _ seconds: Int64, _ number: UInt64, _ reason: DeliveryReason = .immediate
  ) -> Batch {
    Batch(device: device, samples: [Sample(instant: at(seconds), sequence: number, 1)], reason: reason)
  }

  // MARK: DeviceBay

  private static func bay(_ members: [PluginMember]) -> DeviceBay {
    DeviceBay(members, filter: nil)
  }

  private static func drained(_ bay: inout DeviceBay, upTo seconds: Int64) -> [Int64] {
    var instants: [Int64] = []
    bay.drain(upTo: at(seconds)) { instants.append(($0.instant - .epoch).nanoseconds / 1_000_000_000) }
    return instants
  }

  @Test("reports of several devices leave the `DeviceBay` in the order of their instants")
  func reportOrder() throws {
    let members = try Self.members("a", "b")
    var bay = Self.bay(members)
    for (device, seconds) in [(0, 3), (0, 5), (1, 1), (1, 4)] as [(Int, Int64)] {
      members[device].port.available(true, at: Self.at(seconds))
    }
    for device in bay.indices { #expect(bay.collect(device) { _, _ in true }.isEmpty) }
    #expect(bay.span?.first == Self.at(1) && bay.span?.last == Self.at(5))
    #expect(Self.drained(&bay, upTo: 3) == [1, 3])
    #expect(Self.drained(&bay, upTo: 3).isEmpty)
    #expect(Self.drained(&bay, upTo: 9) == [4, 5])
    #expect(bay.span == nil)
  }

  @Test("a batch is routed as soon as it is collected, even if its instant is later")
  func routing() throws {
    let members = try Self.members("a")
    var bay = Self.bay(members)
    members[0].port.deliver(Self.batch("a", 2, 1), at: Self.at(2))
    var routed: [Instant] = []
    _ = bay.collect(0) { _, instant in
      routed.append(instant)
      return true
    }
    #expect(routed == [Self.at(2)])
    #expect(Self.drained(&bay, upTo: 2) == [2])
  }

  @Test("each device has a separate alarm, which is returned once")
  func alarms() throws {
    let members = try Self.members("a", "b")
    var bay = Self.bay(members)
    members[0].port.setAlarm(at: Self.at(5))
    members[1].port.setAlarm(at: Self.at(7))
    for device in bay.indices { _ = bay.collect(device) { _, _ in true } }
    #expect(bay.nextAlarm == Self.at(5))
    #expect(bay.nextAlarm(beside: 0) == Self.at(7))
    #expect(bay.clearAlarms(upTo: Self.at(6)) == [0])
    _ = bay.collect(0) { _, _ in true }
    #expect(bay.nextAlarm == Self.at(7))
  }

  @Test("when too many reports wait, the reports furthest in the future are dropped and counted")
  func surplus() throws {
    let members = try Self.members("a", "b", "c")
    var bay = Self.bay(members)
    var sentences: [String] = []
    for device in 0..<3 {
      for number in 0..<60_000 {
        members[device].port.available(true, at: Self.at(Int64(device * 60_000 + number)))
      }
      sentences += bay.collect(device) { _, _ in true }
    }
    let surplus = 180_000 - DeviceBay.maxReports
    #expect(bay.droppedReports == surplus)
    #expect(sentences == ["c: \(surplus) reports are dropped; \(DeviceBay.maxReports) are already waiting"])
    #expect(Self.drained(&bay, upTo: 200_000).count == DeviceBay.maxReports)
  }

  // MARK: DeliveryTable

  private static func table() throws -> DeliveryTable { DeliveryTable(try members("a", "b").map(\.manifest)) }

  private static func demand(_ number: Int64) -> Demand {
    Demand(id: DemandID(number), client: "app", target: "a", wants: DemandSettings())
  }

  @Test("a batch reaches only the demands that its device serves")
  func receivers() throws {
    var table = try Self.table()
    table.subscribe(Self.demand(1), to: 0, period: nil, at: .epoch)
    table.subscribe(Self.demand(2), to: 1, period: nil, at: .epoch)
    table.subscribe(Self.demand(3), to: nil, period: nil, at: .epoch)
    #expect(
      table.route(Self.batch("a", 1, 1), from: 0, at: Self.at(1)).receivers.map(\.demand.id) == [DemandID(1)])
    table.subscribe(Self.demand(1), to: 1, period: nil, at: Self.at(2))
    #expect(
      table.route(Self.batch("b", 3, 1), from: 1, at: Self.at(3)).receivers.map(\.demand.id)
        == [DemandID(1), DemandID(2)])
    #expect(table.active == [DemandID(1), DemandID(2), DemandID(3)])
  }

  @Test("a duplicate sample is refused, and a batch of old samples gets the reason `late`")
  func refusals() throws {
    var table = try Self.table()
    table.subscribe(Self.demand(1), to: 0, period: nil, at: .epoch)
    #expect(table.route(Self.batch("a", 1, 1), from: 0, at: Self.at(60)).batch?.reason == .late)
    let second = table.route(Self.batch("a", 1, 1), from: 0, at: Self.at(60))
    #expect(second.batch == nil)
    #expect(second.refusals == ["a: 1 sample is dropped: duplicate, too old or in the future"])
  }

  @Test(
    "a demand that is removed during a drain receives the held samples, and ends when the drain is complete")
  func draining() throws {
    var table = try Self.table()
    table.subscribe(Self.demand(1), to: 0, period: nil, at: .epoch)
    table.beginDrain(of: 0)
    #expect(table.remove(Self.demand(1), at: Self.at(1)) == nil)
    #expect(table.route(Self.batch("a", 1, 1, .ended), from: 0, at: Self.at(1)).receivers.count == 1)
    #expect(table.endDrain(of: 0).map(\.demand.id) == [DemandID(1)])
    let late = table.route(Self.batch("a", 1, 2, .ended), from: 0, at: Self.at(2))
    #expect(late.receivers.isEmpty && table.unreceivedSamples == 1)
    #expect(late.refusals == ["a: 1 held sample is dropped: its demand has ended"])
  }

  @Test(
    "a withdrawn demand receives no samples before it ends; a new demand with the same id receives samples")
  func withdrawal() throws {
    var table = try Self.table()
    table.subscribe(Self.demand(1), to: 0, period: nil, at: .epoch)
    table.withdraw(DemandID(1))
    #expect(table.route(Self.batch("a", 1, 1), from: 0, at: Self.at(1)).receivers.isEmpty)
    #expect(table.remove(Self.demand(1), at: Self.at(2))?.demand.id == DemandID(1))
    table.subscribe(Self.demand(1), to: 0, period: nil, at: Self.at(3))
    #expect(table.route(Self.batch("a", 4, 2), from: 0, at: Self.at(4)).receivers.count == 1)
  }

  // MARK: ServiceDesk

  private final class Disk: ServicesKeeper {
    let state = Locked((isFull: false, count: 0))
    func keep(_ content: [UInt8], report: @escaping @Sendable (Problem?) -> Void) {
      let isFull = state.withLock { state in
        state.count += 1
        return state.isFull
      }
      report(isFull ? Problem(.file, cause: "the disk is full") : nil)
    }
  }

  private static func governor() throws -> Governor {
    Governor(vocabulary: Vocabulary(manifests: try members("a").map(\.manifest)), at: .epoch)
  }

  private static func desk(of governor: Governor) -> ServiceDesk {
    ServiceDesk(governor.vocabulary, at: .epoch, carriesTransfers: false)
  }

  @Test("a `ServiceDesk` ignores inputs until it is connected, and then learns which devices are unavailable")
  func connection() throws {
    var governor = try Self.governor()
    var desk = Self.desk(of: governor)
    desk.forward(.fact(0, .boolean(true)), governor.vocabulary)
    #expect(!desk.hasInput && !desk.isServing)
    _ = governor.step([.fact(0, .boolean(true))], at: Self.at(1))
    desk.connect(governor) { ["a"] }
    #expect(desk.isServing && desk.needsStep(at: Self.at(1)))
    _ = desk.step(at: Self.at(1))
    #expect(!desk.board.isAvailable("a") && !desk.hasInput)
  }

  @Test(
    "after a failed save, the next attempt is 10 s later; the failure and the success are each reported once")
  func saving() throws {
    let governor = try Self.governor()
    var desk = Self.desk(of: governor)
    let disk = Disk()
    disk.state.withLock { $0.isFull = true }
    desk.save(with: disk)
    desk.connect(governor) { [] }
    desk.add(.attach("app", permissions: .always, mayBackground: true))
    let first = desk.step(at: Self.at(1))
    #expect(first.messages.count == 1 && first.changesPermissions)
    #expect(first.messages.first?.text.contains("the disk is full") == true)
    #expect(desk.nextTimer == Self.at(11))
    #expect(desk.step(at: Self.at(5)).messages.isEmpty && disk.state.withLock { $0.count } == 1)
    disk.state.withLock { $0.isFull = false }
    #expect(desk.step(at: Self.at(11)).messages == [.notice("saving the services for a restart works again")])
    #expect(desk.nextTimer == Instant.distantFuture)
  }

  // MARK: Inbox

  @Test("4,096 submissions can wait; the next submission is refused, and closing the inbox completes all")
  func inbox() async {
    var inbox = Inbox()
    var promises: [Promise<SubmissionOutcome>] = []
    for _ in 0..<Inbox.maxSubmissions {
      let (done, waits) = inbox.add(.inputs([]))
      #expect(waits)
      promises.append(done)
    }
    let (refused, waits) = inbox.add(.inputs([]))
    #expect(!waits && inbox.refusedCalls == 1)
    #expect(await refused.value() == .overloaded)
    inbox.close()
    let isClosed = inbox.isClosed
    #expect(isClosed)
    #expect(await promises[0].value() == .closed)
    #expect(await inbox.add(.inputs([])).done.value() == .closed)
    #expect(inbox.refusedCalls == 1 && inbox.drain().isEmpty)
  }

  // MARK: JournalDesk

  @Test("decisions are counted and hashed even without a journal")
  func decisions() {
    var journal = JournalDesk(nil)
    #expect(journal.decisions.count == 0 && !journal.hasJournal)
    let empty = journal.decisions.digest
    journal.record(decision: "a", at: .epoch)
    journal.record(decision: "b", at: .epoch)
    #expect(journal.decisions.count == 2 && journal.decisions.digest != empty)
    var other = JournalDesk(nil)
    other.record(decision: "a", at: .epoch)
    #expect(other.decisions.digest != journal.decisions.digest)
    other.record(decision: "b", at: .epoch)
    #expect(other.decisions.digest == journal.decisions.digest)
    #expect(journal.failure == nil)
  }
}
