import StintModel
import StintPluginHost
import StintPluginKit
import StintServices
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct CarrierAttemptsTests {
  private actor StubCarrier: RadioPlugin, TransferCarrier {
    nonisolated let manifest: Manifest
    init(_ name: String, _ kind: DeviceKind) {
      var manifest = Manifest(
        device: DeviceID(name), kind: kind, title: "",
        states: kind == .radio ? [PowerState(name: "idle", power: .zero, isOn: false)] : [])
      manifest.statedRoles = kind == .radio ? [.transfers, .carrier] : [.carrier]
      self.manifest = manifest
    }
    func open(_ port: DevicePort, at instant: Instant) {}
    func apply(_ setting: Setting, at instant: Instant) {}
    func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {}
    func handle(_ order: TransferOrder, at instant: Instant) {}
    func wake(at instant: Instant, horizon: Instant) {}
    func close(at instant: Instant) {}
  }

  private static let service = ServiceID("mail", "sync")

  /// Returns the table of attempts for the carriers net.ftp (index 0), net.http (1) and radio.lora (2),
  /// a radio.
  private static func desk() throws -> CarrierAttempts {
    CarrierAttempts(
      try PluginSet([
        StubCarrier("net.http", .source), StubCarrier("net.ftp", .source), StubCarrier("radio.lora", .radio),
      ]).members)
  }

  private static func exchange(_ task: String, attempt: Int = 1) -> TransferExchange {
    TransferExchange(
      task: task, attempt: attempt, key: "mail/sync/\(task)",
      request: TransferRequest(.download(from: "https://mail.example/\(task)")), offset: 0)
  }

  private static func report(_ report: TransferReport, _ task: String, attempt: Int = 1) -> AttemptReport {
    AttemptReport(report, key: "mail/sync/\(task)", attempt: attempt)
  }

  /// Returns the task and the report of an input of a session.
  private static func content(_ input: ServiceInput?) -> (String, TransferReport)? {
    guard case .command(service, let command as TransferCommand)? = input,
      case .report(let task, _, let report) = command
    else { return nil }
    return (task, report)
  }

  @Test(
    "a carrier that is a radio gets the orders for this radio; the first available carrier gets all others"
  )
  func choice() throws {
    var desk = try Self.desk()
    for (task, radio) in [("a", "radio.lora"), ("b", "radio.wifi")] as [(String, DeviceID)] {
      #expect(desk.queue(.start(Self.exchange(task), on: radio), of: Self.service) { _ in true } == nil)
    }
    _ = desk.queue(.start(Self.exchange("c"), on: "radio.wifi"), of: Self.service) { $0 != "net.ftp" }
    #expect(desk.drain { _ in true }.map(\.carrier) == [2, 0, 1])
    #expect(desk.drain { _ in true }.isEmpty)
  }

  @Test("later orders go to the carrier that has started the attempt, and nothing is sent before the start")
  func laterOrders() throws {
    var desk = try Self.desk()
    let exchange = Self.exchange("a")
    for order in [
      .open(exchange), .complete(exchange), .start(exchange, on: "radio.lora"), .complete(exchange),
      .close(exchange, keepsPart: true), .close(exchange, keepsPart: true),
    ] as [TransferOrder] {
      _ = desk.queue(order, of: Self.service) { _ in true }
    }
    let sent = desk.drain { _ in true }
    #expect(
      sent.map(\.order) == [
        .start(exchange, on: "radio.lora"), .complete(exchange), .close(exchange, keepsPart: true),
      ])
    #expect(sent.allSatisfy { $0.carrier == 2 })
  }

  @Test("a report reaches the session of its attempt; reports of other carriers and attempts are ignored")
  func reports() throws {
    var desk = try Self.desk()
    _ = desk.queue(.start(Self.exchange("a", attempt: 2), on: "radio.wifi"), of: Self.service) { _ in true }
    #expect(desk.input(for: Self.report(.progress(5), "a", attempt: 1), from: 0) == nil)
    #expect(desk.input(for: Self.report(.progress(5), "a", attempt: 2), from: 1) == nil)
    #expect(desk.input(for: Self.report(.progress(5), "b", attempt: 2), from: 0) == nil)
    let progress = Self.content(desk.input(for: Self.report(.progress(5), "a", attempt: 2), from: 0))
    #expect(progress?.0 == "a" && progress?.1 == .progress(5))
    #expect(desk.input(for: Self.report(.finished(file: "/f"), "a", attempt: 2), from: 0) != nil)
    #expect(desk.input(for: Self.report(.finished(file: "/f"), "a", attempt: 2), from: 0) == nil)
    #expect(desk.count == 0)
  }

  @Test("a file is discarded by the carrier that has fetched it")
  func discard() throws {
    var desk = try Self.desk()
    _ = desk.queue(.start(Self.exchange("a"), on: "radio.lora"), of: Self.service) { _ in true }
    _ = desk.input(for: Self.report(.finished(file: "/f"), "a"), from: 2)
    _ = desk.queue(.discard("/f"), of: Self.service) { _ in true }
    #expect(desk.drain { _ in true }.map(\.carrier) == [2, 2])
  }

  @Test("an order to remove files waits until its carrier is available again")
  func waitingRemovals() throws {
    var desk = try Self.desk()
    let exchange = Self.exchange("a")
    _ = desk.queue(.start(exchange, on: "radio.lora"), of: Self.service) { _ in true }
    _ = desk.input(for: Self.report(.finished(file: "/f"), "a"), from: 2)
    _ = desk.drain { _ in true }
    let isOther: (DeviceID) -> Bool = { $0 != "radio.lora" }
    _ = desk.queue(.discard("/f"), of: Self.service, isAvailable: isOther)
    _ = desk.queue(.close(exchange, keepsPart: true), of: Self.service) { _ in false }
    _ = desk.queue(.close(exchange, keepsPart: false), of: Self.service) { _ in false }
    #expect(desk.drain { _ in false }.isEmpty)
    // Any carrier may remove the part of an attempt that belongs to no carrier.
    let first = desk.drain(isAvailable: isOther)
    #expect(first.map(\.order) == [.close(exchange, keepsPart: false)] && first.map(\.carrier) == [0])
    let second = desk.drain { _ in true }
    #expect(second.map(\.order) == [.discard("/f")] && second.map(\.carrier) == [2])
    #expect(desk.drain { _ in true }.isEmpty)
  }

  @Test("a carrier that was lost gets its last orders to discard files again, except for names of new files")
  func repeatedDiscards() throws {
    var desk = try Self.desk()
    for file in ["/a", "/b", "/c"] { _ = desk.queue(.discard(file), of: Self.service) { _ in true } }
    #expect(desk.drain { _ in true }.count == 3)
    _ = desk.queue(.start(Self.exchange("x"), on: "radio.wifi"), of: Self.service) { _ in true }
    _ = desk.drain { _ in true }
    _ = desk.input(for: Self.report(.finished(file: "/b"), "x"), from: 0)
    _ = desk.lose(1)
    #expect(desk.drain { _ in true }.isEmpty)
    _ = desk.lose(0)
    #expect(desk.drain { $0 != "net.ftp" }.isEmpty)
    #expect(desk.drain { _ in true }.map(\.order) == [.discard("/a"), .discard("/c")])
  }

  @Test("an order to discard is repeated once, and not after the start of another attempt of the same task")
  func discardsAfterStart() throws {
    var desk = try Self.desk()
    for task in ["a", "b"] {
      _ = desk.queue(.start(Self.exchange(task), on: "radio.wifi"), of: Self.service) { _ in true }
      _ = desk.drain { _ in true }
      _ = desk.input(for: Self.report(.finished(file: "/" + task), task), from: 0)
      _ = desk.queue(.discard("/" + task), of: Self.service) { _ in true }
    }
    _ = desk.queue(.start(Self.exchange("a"), on: "radio.wifi"), of: Self.service) { _ in true }
    #expect(desk.drain { _ in true }.count == 2)
    _ = desk.lose(0)
    #expect(desk.drain { _ in true }.map(\.order) == [.discard("/b")])
    _ = desk.lose(0)
    #expect(desk.drain { _ in true }.isEmpty)
  }

  @Test("waiting orders to remove files are checked again only when the available carriers change")
  func unchangedCarriers() throws {
    var desk = try Self.desk()
    for number in 0..<100 { _ = desk.queue(.discard("/\(number)"), of: Self.service) { _ in false } }
    #expect(desk.drain { _ in false }.isEmpty)
    var calls = 0
    let nothing = desk.drain { _ in
      calls += 1
      return false
    }
    #expect(nothing.isEmpty && calls == 3)
    _ = desk.queue(.discard("/last"), of: Self.service) { _ in false }
    #expect(desk.drain { $0 == "net.http" }.count == 101)
    #expect(desk.drain { _ in true }.isEmpty)
  }

  @Test("of too many orders to remove files, the oldest are dropped")
  func manyRemovals() throws {
    var desk = try Self.desk()
    for number in 0...CarrierAttempts.maxRemovals {
      _ = desk.queue(.discard("/\(number)"), of: Self.service) { _ in false }
    }
    let orders = desk.drain { _ in true }
    #expect(orders.count == CarrierAttempts.maxRemovals && orders.first?.order == .discard("/1"))
  }

  @Test("the attempts of a lost carrier fail, and the attempts of other carriers continue")
  func loss() throws {
    var desk = try Self.desk()
    for (task, radio) in [("b", "radio.wifi"), ("a", "radio.wifi"), ("c", "radio.lora")]
      as [(String, DeviceID)]
    {
      _ = desk.queue(.start(Self.exchange(task), on: radio), of: Self.service) { _ in true }
    }
    let lost = desk.lose(0).map { Self.content($0) }
    #expect(lost.map { $0?.0 } == ["a", "b"])
    #expect(lost.allSatisfy { $0?.1 == .failed(.connection) })
    #expect(desk.count == 1)
  }

  @Test("an attempt fails at once when no carrier is available")
  func noCarrier() throws {
    var desk = try Self.desk()
    let input = desk.queue(.start(Self.exchange("a"), on: "radio.wifi"), of: Self.service) { _ in false }
    #expect(Self.content(input)?.1 == .failed(.connection))
    #expect(desk.drain { _ in true }.isEmpty)
    #expect(desk.count == 0)
  }
}
