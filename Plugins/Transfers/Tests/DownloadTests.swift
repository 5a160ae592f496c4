import StintModel
import Testing

@testable import Transfers

/// Downloads from a server on loopback, by the real libcurl.
@Suite struct DownloadTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  @Test("a download gives a file with the bytes of the server, and no part remains")
  func complete() throws {
    let bench = try CarrierBench()
    let report = bench.download(server.address("data/300000"))
    #expect(report?.content == TestServer.content(300_000), "\(bench.entries)")
    #expect(bench.replies == [200])
    #expect(bench.progress().last == 300_000)
    #expect(bench.spool.names.count == 1, "\(bench.spool.names)")
  }

  @Test("a file of zero bytes is a complete file")
  func empty() throws {
    let bench = try CarrierBench()
    #expect(bench.download(server.address("data/0"))?.content == [])
  }

  @Test("after a broken connection, the next attempt requests only the missing bytes")
  func resume() throws {
    let bench = try CarrierBench()
    let address = server.address("data/200000?cut=70000")
    let report = bench.download(address)
    #expect(
      report?.fault?.hasPrefix("connection: ") == true && report?.isTransient == true, "\(bench.entries)")
    #expect(bench.partSize() == 70_000)
    bench.restart()
    #expect(bench.download(address, attempt: 2)?.content == TestServer.content(200_000))
    #expect(
      server.requests == [
        "GET /data/200000?cut=70000 ", "GET /data/200000?cut=70000 Range=bytes=70000- If-Range=\"v1\"",
      ])
    #expect(bench.replies == [200, 206])
  }

  @Test(
    "a changed file is downloaded again from its first byte",
    arguments: ["", "&ranges=any", "&ranges=no", "&ranges=416"])
  func changed(query: String) throws {
    let bench = try CarrierBench()
    // The first request, which is cut, gets version 1; later requests get later versions.
    let address = server.address("data/150000?changes&cut=60000" + query)
    #expect(bench.download(address)?.isTransient == true)
    #expect(bench.partSize() == 60_000)
    // The whole file is cut again, so this attempt fails, but no byte of version 1 is left.
    let second = bench.download(address, attempt: 2)
    #expect(second?.fault?.hasPrefix("connection: ") == true, "\(bench.entries)")
    let part = TestFolder.bytes(of: Spool(folder: bench.spool.path).path(of: "app/sync/a") + ".part")
    let version = query == "" || query == "&ranges=no" ? 2 : 3
    #expect(part == Array(TestServer.content(150_000, version: version)[..<60_000]))
  }

  @Test("a range that does not begin at the requested byte is not used, and the whole file is requested")
  func wrongRange() throws {
    let bench = try CarrierBench()
    let address = server.address("data/90000?cut=60000&ranges=wrong")
    #expect(bench.download(address)?.isTransient == true)
    _ = bench.download(address, attempt: 2)
    #expect(server.requests.map { $0.contains("Range") } == [false, true, false])
    #expect(bench.partSize() == 60_000)
  }

  @Test(
    "a part without a strong validator is not continued",
    arguments: ["tag=weak&modified=none", "tag=none&modified=none", "tag=none&modified=now"])
  func noValidator(query: String) throws {
    let bench = try CarrierBench()
    let address = server.address("data/100000?cut=50000&" + query)
    #expect(bench.download(address)?.isTransient == true)
    #expect(bench.download(address, attempt: 2)?.isTransient == true)
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { !$0.contains("Range") }, "\(server.requests)")
  }

  @Test("without a tag, an old date of modification continues the part")
  func modified() throws {
    let bench = try CarrierBench()
    let address = server.address("data/100000?cut=50000&tag=none")
    #expect(bench.download(address)?.isTransient == true)
    #expect(bench.download(address, attempt: 2)?.content == TestServer.content(100_000))
    #expect(server.requests.last?.contains("If-Range=Mon, 01 Jan 2024 00:00:00 GMT") == true)
  }

  @Test("for a part with all bytes, only the last byte is requested, so that the server confirms the part")
  func completePart() throws {
    let bench = try CarrierBench()
    let spool = Spool(folder: bench.spool.path)
    let address = server.address("data/5000")
    let (descriptor, _) = try spool.openPart(of: "app/sync/a")
    try spool.write(TestServer.content(5000), to: descriptor, at: 0)
    try spool.save(
      PartRecord(key: "app/sync/a", address: address, validator: "\"v1\"", length: 5000, synced: 5000))
    #expect(bench.download(address)?.content == TestServer.content(5000))
    #expect(server.requests == ["GET /data/5000 Range=bytes=4999- If-Range=\"v1\""])
  }

  @Test("a part that belongs to a different address, or has a damaged record, is not continued")
  func otherPart() throws {
    let bench = try CarrierBench()
    let spool = Spool(folder: bench.spool.path)
    let (descriptor, _) = try spool.openPart(of: "app/sync/a")
    try spool.write([1, 2, 3], to: descriptor, at: 0)
    try spool.save(PartRecord(key: "app/sync/a", address: "http://other/", validator: "\"v1\""))
    #expect(bench.download(server.address("data/5000"))?.content == TestServer.content(5000))
    bench.spool.write([1, 2, 3], to: "6170702f73796e632f62.part")
    bench.spool.write(Array("{\"key\"".utf8), to: "6170702f73796e632f62.record")
    #expect(bench.download(server.address("data/5000"), task: "b")?.content == TestServer.content(5000))
    #expect(server.requests.allSatisfy { !$0.contains("Range") })
  }

  @Test("a download without an announced length is complete at the end of the connection")
  func noLength() throws {
    let bench = try CarrierBench()
    #expect(bench.download(server.address("data/40000?chunked"))?.content == TestServer.content(40_000))
  }

  @Test("the second file of a task does not replace a file that its client has not read")
  func secondFile() throws {
    let bench = try CarrierBench()
    let first = bench.download(server.address("data/1000"))
    let second = bench.download(server.address("data/1000?version=2"))
    #expect(first?.content == TestServer.content(1000))
    #expect(second?.content == TestServer.content(1000, version: 2))
    for report in [first, second] {
      guard case .finished(let file?) = report else { continue }
      bench.engine.handle(.discard(file))
    }
    #expect(bench.spool.names == [])
  }

  @Test("after a reboot, only bytes that were written to the disk are used")
  func reboot() {
    let boot = BootTime(start: 1_700_000_000, elapsed: 100)
    let record = PartRecord(
      key: "a", address: "http://a/", validator: "\"1\"", length: 5000, synced: 1000, boot: boot)
    let later = BootTime(start: 1_700_000_001, elapsed: 900)
    #expect(record.usableCount(ofPart: 3000, now: later) == 3000)
    #expect(record.usableCount(ofPart: 9000, now: later) == 4999)
    for other in [
      BootTime(start: 1_700_000_950, elapsed: 900), BootTime(start: 1_700_000_000, elapsed: 99),
      BootTime(start: .min, elapsed: 900), nil,
    ] {
      #expect(record.usableCount(ofPart: 3000, now: other) == 1000)
      #expect(record.usableCount(ofPart: 300, now: other) == 300)
    }
    var damaged = record
    damaged.synced = -5
    damaged.length = .min
    #expect(damaged.usableCount(ofPart: 3000, now: nil) == 0)
  }

  @Test("bytes that were written to the disk are counted in the record")
  func keptBytes() throws {
    let folder = TestFolder()
    let spool = Spool(folder: folder.path)
    let download = try Download("a", from: "http://a/", in: spool, largest: 100)
    var head = ResponseHead()
    for line in ["HTTP/1.1 200 OK", "ETag: \"1\"", "Content-Length: 10", ""] { _ = head.take(line.utf8) }
    #expect(try download.accept(head) == .body)
    #expect(spool.record(of: "a")?.synced == 0)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: [1, 2, 3] as [UInt8])
    try download.write(UnsafeRawBufferPointer(bytes))
    try download.keepOnDisk()
    #expect(spool.record(of: "a")?.synced == 3)
    download.suspend()
    #expect(spool.record(of: "a")?.validator == "\"1\"" && spool.record(of: "a")?.length == 10)
  }

  @Test("a file whose report was lost is reported by the next attempt without a request")
  func lostReport() throws {
    let bench = try CarrierBench()
    let spool = Spool(folder: bench.spool.path)
    let address = server.address("data/5000")
    let (descriptor, _) = try spool.openPart(of: "app/sync/a")
    try spool.write(TestServer.content(5000), to: descriptor, at: 0)
    let record = PartRecord(
      key: "app/sync/a", address: address, validator: "\"v1\"", length: 5000, attempt: 1)
    let file = try spool.publish(record, descriptor)
    #expect(bench.download(address, attempt: 2) == .finished(file: file))
    #expect(server.requests == [])
    #expect(bench.spool.names == ["6170702f73796e632f61"])
    // The first attempt of a new task downloads a new file. The unread file stays for the client of the
    // former task.
    try spool.save(PartRecord(key: "app/sync/a", address: address, file: file, attempt: 1))
    #expect(bench.download(address)?.content == TestServer.content(5000))
    #expect(server.requests.count == 1)
    #expect(bench.spool.names == ["6170702f73796e632f61", "6170702f73796e632f61.1"])
  }

  @Test("after a process ended before it renamed a complete part, the next attempt continues the part")
  func lostName() throws {
    let bench = try CarrierBench()
    let spool = Spool(folder: bench.spool.path)
    let address = server.address("data/5000")
    let (descriptor, _) = try spool.openPart(of: "app/sync/a")
    try spool.write(TestServer.content(5000), to: descriptor, at: 0)
    try spool.save(
      PartRecord(
        key: "app/sync/a", address: address, validator: "\"v1\"", length: 5000,
        file: spool.path(of: "app/sync/a"), attempt: 1))
    #expect(bench.download(address, attempt: 2)?.content == TestServer.content(5000))
    #expect(server.requests == ["GET /data/5000 Range=bytes=4999- If-Range=\"v1\""])
    #expect(bench.spool.names == ["6170702f73796e632f61"])
  }

  @Test("“close” without “keep”, and “discard”, remove a complete file and its record")
  func lostAndClosed() throws {
    let bench = try CarrierBench()
    let spool = Spool(folder: bench.spool.path)
    let (descriptor, _) = try spool.openPart(of: "app/sync/a")
    _ = try spool.publish(PartRecord(key: "app/sync/a", address: "http://a/", attempt: 1), descriptor)
    let exchange = CarrierBench.exchange("a", .download(from: "http://a/"), attempt: 2)
    bench.engine.handle(.close(exchange, keepsPart: false))
    #expect(bench.spool.names == [])
    let (next, _) = try spool.openPart(of: "app/sync/a")
    let file = try spool.publish(PartRecord(key: "app/sync/a", address: "http://a/", attempt: 1), next)
    #expect(bench.spool.names.count == 2)
    bench.engine.handle(.discard(file))
    #expect(bench.spool.names == [])
  }

  @Test("four attempts run at the same time and further attempts wait for their turn")
  func connections() throws {
    let bench = try CarrierBench { $0.connections = 4 }
    for task in 0..<8 {
      let exchange = CarrierBench.exchange(
        "t\(task)", .download(from: server.address("data/2000?stall=1000")))
      bench.engine.handle(.start(exchange, on: "radio.lan"))
    }
    #expect(bench.wait { bench.replies.count == 4 })
    #expect(server.requests.count == 4)
    for task in 0..<4 {
      let exchange = CarrierBench.exchange(
        "t\(task)", .download(from: server.address("data/2000?stall=1000")))
      bench.engine.handle(.close(exchange, keepsPart: false))
    }
    #expect(bench.wait { bench.replies.count == 8 })
  }
}
