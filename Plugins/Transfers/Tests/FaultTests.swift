import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import Transfers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Each failed attempt gives one report with the cause, which states whether the host tries again.
@Suite struct FaultTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  @Test("a status of 300 or above is reported with its number, and only temporary failures are tried again")
  func status() throws {
    let bench = try CarrierBench()
    for (status, isTransient) in [
      (304, false), (400, false), (401, true), (403, false), (404, false), (408, true), (410, false),
      (425, false), (429, true), (500, true), (501, true), (502, true), (503, true), (504, true),
      (505, true),
    ] {
      let report = bench.download(server.address("data/1?status=\(status)"), task: "t\(status)")
      #expect(bench.replies.last == status)
      #expect(
        report?.fault?.hasSuffix("127.0.0.1 answered with the status \(status)") == true, "\(bench.entries)")
      #expect(report?.isTransient == isTransient, "\(status)")
    }
    // Each attempt has two reports: the status and the failure.
    #expect(bench.entries.count == 30)
  }

  @Test("a refused connection is a transient fault that names the host")
  func refused() throws {
    let bench = try CarrierBench()
    let report = bench.download("http://127.0.0.1:\(server.ports.closed)/a")
    #expect(report?.fault?.hasPrefix("connection: cannot connect to 127.0.0.1") == true, "\(bench.entries)")
    #expect(report?.isTransient == true)
  }

  @Test("a host without an address causes a transient fault that names the host")
  func unresolvable() throws {
    let bench = try CarrierBench()
    // A label has at most 63 letters, so no name server is asked.
    let host = String(repeating: "a", count: 64) + ".invalid"
    let report = bench.download("http://\(host)/a")
    #expect(report?.fault == "connection: cannot resolve the host “\(host)”")
    #expect(report?.isTransient == true)
  }

  @Test("a server that moves fewer bytes than the slow rate fails transiently, and the part is kept")
  func slow() throws {
    let bench = try CarrierBench {
      $0.slowTime = .seconds(2)
      $0.slowRate = 1000
    }
    let report = bench.download(server.address("data/50000?stall=900"))
    #expect(report?.fault?.hasPrefix("connection: 127.0.0.1 moved ") == true, "\(bench.entries)")
    #expect(report?.isTransient == true)
    #expect(bench.partSize() == 900)
  }

  @Test("a download that the server restarts with the first byte does not end as too slow")
  func restarted() throws {
    let bench = try CarrierBench {
      $0.slowTime = .seconds(1)
      $0.slowRate = 1000
    }
    let spool = Spool(folder: bench.spool.path)
    let address = server.address("data/90000?rate=45000")
    let (descriptor, _) = try spool.openPart(of: "app/sync/a")
    try spool.write(TestServer.content(80_000), to: descriptor, at: 0)
    close(descriptor)
    try spool.save(PartRecord(key: "app/sync/a", address: address, validator: "\"old\"", length: 90_000))
    #expect(bench.download(address)?.content == TestServer.content(90_000), "\(bench.entries)")
    #expect(bench.replies == [200])
  }

  @Test("a stalled transfer wakes the loop at most once for each check")
  func stalled() throws {
    let bench = try CarrierBench { $0.slowTime = .seconds(60) }
    let exchange = CarrierBench.exchange("a", .download(from: server.address("data/50000?stall=900")))
    bench.engine.handle(.start(exchange, on: "radio.lan"))
    #expect(bench.wait { bench.partSize() == 900 })
    // libcurl's own timers, such as the timer for the connection, end first.
    _ = bench.wait(limit: .milliseconds(500)) { false }
    let turns = bench.loop.turns
    _ = bench.wait(limit: .seconds(2)) { false }
    #expect(bench.loop.turns == turns)
  }

  @Test("a body before a complete head is refused")
  func noHead() throws {
    let bench = try CarrierBench()
    let exchange = CarrierBench.exchange("a", .download(from: "http://a.example/"))
    let attempt = try Attempt(
      exchange, on: "radio.lan", over: nil, bench.settings, Spool(folder: bench.spool.path))
    _ = try attempt.prepare()
    let isTaken = [1, 2, 3].withUnsafeBytes { attempt.take(bytes: $0) }
    #expect(!isTaken && attempt.fault?.reported.name == "connection: a.example sent no HTTP answer")
    #expect(attempt.count == 0)
  }

  @Test("a download without an end fails permanently at the size limit")
  func endless() throws {
    let bench = try CarrierBench { $0.largest = 1_000_000 }
    let report = bench.download(server.address("data/65536?endless"))
    #expect(report?.fault?.hasPrefix("rejected: the file is larger than 1000000 bytes") == true)
    #expect(report?.isTransient == false)
    #expect((bench.partSize() ?? 0) <= 1_000_000)
  }

  @Test("a file that is announced as too large fails before its body")
  func tooLarge() throws {
    let bench = try CarrierBench { $0.largest = 1000 }
    #expect(bench.download(server.address("data/1001"))?.isTransient == false)
    #expect(bench.partSize() == 0)
  }

  @Test("a missing spool folder is a transient fault, and the device reports it once")
  func noSpool() throws {
    let bench = try CarrierBench { $0.spool = "/nonexistent/spool" }
    for attempt in 1...2 {
      let report = bench.download(server.address("data/10"), attempt: attempt)
      #expect(report?.fault == "spool: the folder /nonexistent/spool does not exist")
      #expect(report?.isTransient == true)
    }
    #expect(bench.faults == ["the folder /nonexistent/spool does not exist"])
    #expect(server.requests == [])
  }

  @Test("the device reports a fault once, and again after a finished transfer")
  func complaints() throws {
    let bench = try CarrierBench { $0.interfaces = ["radio.lan": .anyInterface] }
    for radio in ["radio.a", "radio.b", "radio.lan", "radio.c"] as [DeviceID] {
      _ = bench.download(server.address("data/10"), task: "\(radio)", on: radio)
    }
    let start = "the setting “interfaces” has no entry for radio."
    #expect(bench.faults == [start + "a", start + "c"])
  }

  @Test("a folder in place of a part is a transient fault of the spool")
  func damagedSpool() throws {
    let bench = try CarrierBench()
    let path = Spool(folder: bench.spool.path).path(of: "app/sync/a") + ".part"
    mkdir(path, 0o755)
    defer { rmdir(path) }
    let report = bench.download(server.address("data/10"))
    #expect(report?.fault?.hasPrefix("spool: ") == true && report?.isTransient == true, "\(bench.entries)")
  }

  @Test("an order about an unknown attempt or a file outside of the spool has no effect")
  func unknown() throws {
    let bench = try CarrierBench()
    bench.uploads.write([1], to: "61")
    let exchange = CarrierBench.exchange("a", .download(from: server.address("data/1")))
    bench.engine.handle(.complete(exchange))
    bench.engine.handle(.close(exchange, keepsPart: true))
    bench.engine.handle(.close(exchange, keepsPart: false))
    for path in [
      bench.uploads.at("61"), bench.spool.path + "/../" + "61", bench.spool.path, bench.spool.path + "/", "",
    ] {
      bench.engine.handle(.discard(path))
    }
    #expect(bench.uploads.names == ["61"])
    #expect(!bench.wait(limit: .milliseconds(50)) { !bench.entries.isEmpty })
  }
}
