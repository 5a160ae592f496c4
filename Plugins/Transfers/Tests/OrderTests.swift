import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import Transfers

/// Orders that cross reports, rate limits, and the closing of idle connections.
@Suite struct OrderTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private func start(
    _ bench: CarrierBench, _ path: String, attempt: Int = 1, on radio: DeviceID = "radio.lan"
  )
    -> TransferExchange
  {
    let exchange = CarrierBench.exchange("a", .download(from: server.address(path)), attempt: attempt)
    bench.engine.handle(.start(exchange, on: radio))
    return exchange
  }

  @Test("“close” with “keep” keeps the part, and without “keep” removes every file of the task")
  func close() throws {
    let bench = try CarrierBench()
    let exchange = start(bench, "data/50000?stall=20000")
    #expect(bench.wait { bench.partSize() == 20_000 })
    bench.engine.handle(.close(exchange, keepsPart: true))
    #expect(bench.partSize() == 20_000)
    bench.engine.handle(.close(exchange, keepsPart: false))
    #expect(bench.spool.names == [])
    #expect(bench.ending(of: exchange.key) == nil)
  }

  @Test("a “close” that crosses the report of a finished attempt removes the file")
  func crossing() throws {
    let bench = try CarrierBench()
    let exchange = start(bench, "data/5000")
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    #expect(bench.wait { bench.spool.names.count == 1 })
    bench.engine.handle(.close(exchange, keepsPart: false))
    #expect(bench.spool.names == [])
  }

  @Test(
    "when “close” with “keep” crosses the report, the next attempt reports the same file",
    arguments: [false, true])
  func withdrawn(restarts: Bool) throws {
    let bench = try CarrierBench()
    let exchange = start(bench, "data/5000")
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    let first = bench.ending(of: exchange.key)
    bench.engine.handle(.close(exchange, keepsPart: true))
    _ = bench.wait(limit: .milliseconds(20)) { false }
    if restarts { bench.restart() }
    #expect(bench.download(server.address("data/5000"), attempt: 2) == first)
    #expect(bench.spool.names == ["6170702f73796e632f61"])
    #expect(server.requests.count == 1)
  }

  @Test("the file of a withdrawn attempt is removed with its task")
  func withdrawnAndClosed() throws {
    let bench = try CarrierBench()
    let exchange = start(bench, "data/5000")
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    bench.engine.handle(.close(exchange, keepsPart: true))
    let next = CarrierBench.exchange("a", exchange.request.kind, attempt: 2)
    bench.engine.handle(.close(next, keepsPart: false))
    #expect(bench.spool.names == [])
  }

  @Test("a “start” that crosses the report repeats the report; a “start” of a new task downloads again")
  func crossingStart() throws {
    let bench = try CarrierBench()
    let exchange = start(bench, "data/5000")
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    let first = bench.ending(of: exchange.key)
    #expect(bench.run(exchange, on: "radio.other") == first)
    #expect(server.requests.count == 1)
    let second = bench.run(exchange, on: "radio.lan")
    #expect(second != first && second?.content == TestServer.content(5000))
    #expect(server.requests.count == 2)
    // The host withdraws the new task, and the file of the former task stays.
    bench.engine.handle(.close(exchange, keepsPart: false))
    #expect(bench.spool.names == ["6170702f73796e632f61"])
  }

  @Test("a second “start” of an attempt over the same interface changes nothing")
  func secondStart() throws {
    let bench = try CarrierBench()
    let exchange = start(bench, "data/50000?rate=100000")
    #expect(bench.wait { !bench.replies.isEmpty })
    bench.engine.handle(.start(exchange, on: "radio.other"))
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    #expect(bench.ending(of: exchange.key)?.content == TestServer.content(50_000))
    #expect(server.requests.count == 1)
  }

  @Test("a “start” over another interface continues the part over that interface")
  func otherInterface() throws {
    let bench = try CarrierBench { $0.interfaces = ["radio.a": .anyInterface, "radio.b": .interface("lo")] }
    let exchange = start(bench, "data/50000?stall=20000", on: "radio.a")
    #expect(bench.wait { bench.partSize() == 20_000 })
    bench.engine.handle(.start(exchange, on: "radio.b"))
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    #expect(bench.ending(of: exchange.key)?.content == TestServer.content(50_000))
    #expect(server.requests.last?.contains("Range=bytes=20000-") == true)
  }

  @Test("a bound transfer uses only its interface; with a missing interface, no byte is sent")
  func interface() throws {
    let bench = try CarrierBench {
      $0.interfaces = ["radio.lan": .interface("lo"), "radio.cellular": .interface("stintnone0")]
    }
    #expect(bench.download(server.address("data/5000"), on: "radio.lan")?.content != nil)
    let count = server.requests.count
    let report = bench.download(server.address("data/5000"), task: "b", on: "radio.cellular")
    #expect(
      report?.fault?.hasPrefix("connection: cannot use the interface stintnone0") == true, "\(bench.entries)")
    #expect(report?.isTransient == true)
    let unlisted = bench.download(server.address("data/5000"), task: "c", on: "radio.ble")
    #expect(unlisted?.fault == "setup: the setting “interfaces” has no entry for radio.ble")
    #expect(unlisted?.isTransient == false)
    #expect(server.requests.count == count)
  }

  @Test("progress is reported at most once a second, and at the end")
  func progress() throws {
    let bench = try CarrierBench()
    let clock = ContinuousClock()
    let begin = clock.now
    let exchange = start(bench, "data/240000?rate=100000")
    #expect(bench.wait { bench.ending(of: exchange.key) != nil })
    let counts = bench.progress()
    // One report at the start, one for each complete second, and one at the end.
    #expect(counts.count >= 2 && counts.count <= Int((clock.now - begin).components.seconds) + 2, "\(counts)")
    #expect(counts == counts.sorted() && counts.last == 240_000)
  }

  @Test("the rate of the settings limits all transfers together")
  func rate() throws {
    let bench = try CarrierBench {
      $0.rate = 200_000
      $0.slowRate = 1
    }
    let clock = ContinuousClock()
    let begin = clock.now
    for task in ["a", "b"] {
      let exchange = CarrierBench.exchange(task, .download(from: server.address("data/300000")))
      bench.engine.handle(.start(exchange, on: "radio.lan"))
    }
    #expect(bench.wait { ["a", "b"].allSatisfy { bench.ending(of: "app/sync/\($0)") != nil } })
    // 600,000 bytes need 3 s at this rate; the buffers of the sockets shorten the measured time.
    #expect(clock.now - begin > .milliseconds(1500))
    #expect(bench.entries.compactMap(\.report.content).map(\.count) == [300_000, 300_000])
  }

  @Test("a second after its last transfer, the carrier has no socket and no timer")
  func rest() throws {
    let bench = try CarrierBench()
    #expect(bench.download(server.address("data/5000"))?.content != nil)
    #expect(server.connections == 1)
    _ = bench.wait(limit: .seconds(3)) { false }
    #expect(server.connections == 0)
    let turns = bench.loop.turns
    _ = bench.wait(limit: .seconds(2)) { false }
    #expect(bench.loop.turns == turns)
    // The carrier works again afterwards.
    #expect(bench.download(server.address("data/6000"), task: "b")?.content == TestServer.content(6000))
  }

  @Test("three consecutive downloads use one connection")
  func following() throws {
    let bench = try CarrierBench()
    for task in ["a", "b", "c"] {
      #expect(bench.download(server.address("data/5000"), task: task)?.content == TestServer.content(5000))
    }
    #expect(server.clients.count == 3 && Set(server.clients).count == 1, "\(server.clients)")
  }

  @Test("an old part is removed when the plugin opens, and a recent part is kept")
  func oldParts() throws {
    let folder = TestFolder()
    let spool = Spool(folder: folder.path)
    folder.write([1], to: "61.part")
    folder.write([1], to: "61.record")
    folder.write([1], to: "61")
    spool.removeParts(olderThan: .seconds(3600))
    #expect(folder.names == ["61", "61.part", "61.record"])
    spool.removeParts(olderThan: .seconds(-3600))
    #expect(folder.names == ["61"])
  }
}
