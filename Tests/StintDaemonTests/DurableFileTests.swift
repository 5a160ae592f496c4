import StintJournal
import StintRuntime
import StintUnits
import Testing

@testable import StintDaemon

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Files that are saved before a change is applied") struct DurableFileTests {
  @Test("after `finish`, a `DurableFile` refuses a further change, and the file on disk keeps its content")
  func afterEnd() throws {
    var template = Array("/tmp/stint-test-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = folder + "/state"
    defer {
      unlink(path)
      rmdir(folder)
    }
    let loop = try LoopExecutor()
    let file = DurableFile(
      at: path, of: "the state", disk: DiskFullSwitch(), on: loop, files: FileWorker(on: loop, log: .none),
      log: .none)
    let failures = Spawner.run(on: loop) {
      let before = await file.saveFirst { [1] }
      file.beginEnd()
      await file.finish(within: .seconds(10))
      return [before, await file.saveFirst { [2] }]
    }.get()
    #expect(failures[0] == nil)
    #expect(failures[1]?.code == .closed)
    #expect(try FileText.read(path) == [1])
  }
}
