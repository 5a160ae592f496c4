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

@Suite struct FileTextTests {
  private let folder = TemporaryFolder()

  private func code(of body: () throws(Problem) -> Void) -> Problem.Code? {
    do {
      try body()
      return nil
    } catch {
      #expect(!error.remedy.isEmpty && !error.cause.isEmpty)
      return error.code
    }
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
  func `a file is read back as it was written`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try FileText.write(bytes, to: folder.at("a"))
    #expect(try FileText.read(folder.at("a")) == bytes)
  }

  @Test func `a missing file, a folder and a path below a file have different errors`() {
    folder.write("file")
    #expect(code { () throws(Problem) in _ = try FileText.read(folder.at("none")) } == .notFound)
    #expect(code { () throws(Problem) in _ = try FileText.read(folder.path) } == .folder)
    #expect(code { () throws(Problem) in _ = try FileText.read(folder.at("file/x")) } == .notFolder)
    #expect(code { () throws(Problem) in try FileText.write([1], to: folder.path) } == .folder)
    #expect(code { () throws(Problem) in try FileText.write([1], to: folder.at("none/x")) } == .notFound)
  }

  @Test func `writing into a missing folder is an error that names the folder`() {
    for (path, parent) in [("none/x", "none"), ("none/deeper/x", "none/deeper")] {
      let written = #expect(throws: Problem.self) { try FileText.write([1], to: folder.at(path)) }
      let checked = #expect(throws: Problem.self) { try FileText.checkWriting(to: folder.at(path)) }
      let cause = "its folder \(folder.at(parent)) does not exist"
      #expect(written?.description.contains(cause) == true)
      #expect(checked?.description.contains(cause) == true)
    }
  }

  @Test func `a file above the limit is refused before reading, a stream while reading`() {
    folder.write("big", "12345")
    #expect(code { () throws(Problem) in _ = try FileText.read(folder.at("big"), limit: 4) } == .tooLarge)
    #expect(code { () throws(Problem) in _ = try FileText.read(folder.at("big"), limit: 5) } == nil)
    #expect(code { () throws(Problem) in _ = try FileText.read("/dev/zero", limit: 1 << 20) } == .tooLarge)
  }

  @Test(arguments: [0, 3, 5, 9])
  func `the beginning of a file of any size can be read`(limit: Int) throws {
    folder.write("big", "12345")
    let beginning = Array("12345".utf8.prefix(limit))
    #expect(try FileText.beginning(of: folder.at("big"), atMost: limit) == beginning)
    #expect(try FileText.beginning(of: "/dev/zero", atMost: 1 << 20).count == 1 << 20)
    #expect(
      code { () throws(Problem) in _ = try FileText.beginning(of: folder.path, atMost: 1) } == .folder)
  }

  @Test func `a read-only file is not replaced, even by root`() throws {
    folder.write("policy.stint", "old")
    chmod(folder.at("policy.stint"), 0o444)
    #expect(
      code { () throws(Problem) in try FileText.write([1], to: folder.at("policy.stint")) } == .notPermitted
    )
    #expect(try FileText.read(folder.at("policy.stint")) == Array("old".utf8))
    #expect(try Folder.files(in: folder.path, suffix: "") == [folder.at("policy.stint")])
  }

  @Test func `writing to a symbolic link replaces its target, not the link`() throws {
    folder.write("policy.stint", "old")
    symlink(folder.at("policy.stint"), folder.at("link.stint"))
    try FileText.write(Array("new".utf8), to: folder.at("link.stint"))
    #expect(try FileText.read(folder.at("policy.stint")) == Array("new".utf8))
    var status = stat()
    lstat(folder.at("link.stint"), &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `replacing a file keeps its permissions and leaves no temporary file`() throws {
    folder.write("policy.stint", "old")
    chmod(folder.at("policy.stint"), 0o600)
    try FileText.write(Array("new".utf8), to: folder.at("policy.stint"))
    var status = stat()
    stat(folder.at("policy.stint"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(try FileText.read(folder.at("policy.stint")) == Array("new".utf8))
    #expect(try Folder.files(in: folder.path, suffix: "") == [folder.at("policy.stint")])
  }
}
