import StintModel
import StintUnits
import Testing

@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A disk whose writes complete when the test allows it.
private final class Disk: Sendable {
  let isOpen = Monitor(false)
  let written = Monitor<[[UInt8]]>([])
  let failure = Locked<Problem?>(nil)

  var writer: DiskWriter {
    DiskWriter { [self] (bytes) throws(Problem) in
      written.changeForAll { $0.append(bytes) }
      _ = isOpen.wait { $0 ? true : nil }
      if let failure = failure.withLock({ $0 }) { throw failure }
    }
  }
}

@Suite("Writing files on another thread")
struct DiskWriterTests {
  @Test("newer contents replace contents that wait for a slow disk, and each report closure is called once")
  func newest() throws {
    let disk = Disk()
    let writer = disk.writer
    let loop = try LoopExecutor()
    let reports = Monitor<[Int]>([])
    writer.submit([1]) { _ in reports.changeForAll { $0.append(1) } }
    _ = disk.written.wait { $0.isEmpty ? nil : true }
    for byte in 2...4 {
      writer.submit([UInt8(byte)]) { _ in reports.changeForAll { $0.append(byte) } }
    }
    #expect(disk.written.wait { $0 } == [[1]])
    Spawner.run(on: loop) { #expect(await !writer.finish(on: loop, within: .zero)) }.get()
    disk.isOpen.changeForAll { $0 = true }
    Spawner.run(on: loop) { #expect(await writer.finish(on: loop, within: .hours(1))) }.get()
    #expect(disk.written.wait { $0 } == [[1], [4]])
    #expect(reports.wait { $0 } == [1, 2, 3, 4])
    Spawner.run(on: loop) { #expect(await writer.finish(on: loop, within: .zero)) }.get()
  }

  @Test("a failed write is reported, and the next write is attempted")
  func failing() throws {
    let disk = Disk()
    let writer = disk.writer
    disk.isOpen.changeForAll { $0 = true }
    disk.failure.withLock { $0 = .from(28, path: "state") }
    let reports = Monitor<[Bool]>([])
    writer.submit([1]) { failure in reports.changeForAll { $0.append(failure == nil) } }
    _ = reports.wait { $0.count == 1 ? true : nil }
    disk.failure.withLock { $0 = nil }
    writer.submit([2]) { failure in reports.changeForAll { $0.append(failure == nil) } }
    _ = reports.wait { $0.count == 2 ? true : nil }
    #expect(reports.wait { $0 } == [false, true])
  }

  @Test("a pipe in place of the file is refused at once, and a later write succeeds when the pipe is gone")
  func pipe() throws {
    let folder = TemporaryFolder()
    let path = folder.at("state")
    #expect(mkfifo(path, 0o600) == 0)
    let writer = DiskWriter(path: path)
    let reports = Monitor<[Problem.Code?]>([])
    writer.submit([1]) { failure in reports.changeForAll { $0.append(failure?.code) } }
    _ = reports.wait { $0.count == 1 ? true : nil }
    #expect(unlink(path) == 0)
    writer.submit([2]) { failure in reports.changeForAll { $0.append(failure?.code) } }
    _ = reports.wait { $0.count == 2 ? true : nil }
    #expect(reports.wait { $0 } == [.refused, nil])
    #expect(try FileText.read(path) == [2])
  }
}
