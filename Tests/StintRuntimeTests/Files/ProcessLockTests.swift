import Testing

@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What one process has for itself.
@Suite struct ProcessLockTests {
  private let folder = TemporaryFolder()

  @Test("a lock that is held is refused with the number of its process, and free again when it is let go")
  func exclusive() throws {
    var first: ProcessLock? = try ProcessLock(of: folder.at("state"))
    #expect(throws: ProcessLock.Failure.held(by: getpid())) { try ProcessLock(of: folder.at("state")) }
    _ = try ProcessLock(of: folder.at("other"))
    #expect(first?.path == folder.at("state.lock"))
    first = nil
    #expect(Folder.entry(at: folder.at("state.lock")) == .nothing)
    _ = try ProcessLock(of: folder.at("state"))
  }

  @Test("a file that a killed process left holds nothing")
  func leftBehind() throws {
    folder.write("state.lock", "1\n")
    _ = try ProcessLock(of: folder.at("state"))
  }

  @Test("a lock whose file another took away leaves the other's file alone")
  func replaced() throws {
    var first: ProcessLock? = try ProcessLock(of: folder.at("state"))
    unlink(folder.at("state.lock"))
    let second = try ProcessLock(of: folder.at("state"))
    first = nil
    #expect(first == nil)
    #expect(Folder.entry(at: second.path) == .file)
  }

  @Test("a folder that is not there is refused with the system's error")
  func refused() {
    #expect(throws: ProcessLock.Failure.refused(ENOENT)) { try ProcessLock(of: folder.at("none/state")) }
  }

  @Test("drafts of killed writers beside a state file are removed, and nothing else is")
  func drafts() throws {
    for name in ["state", "state.new-12", "state.new-99999", "state.new-x", "other.new-1", "state.refused"] {
      folder.write(name)
    }
    #expect(StateFile.removeDrafts(of: folder.at("state")) == 2)
    #expect(try Folder.names(in: folder.path) == ["other.new-1", "state", "state.new-x", "state.refused"])
  }
}
