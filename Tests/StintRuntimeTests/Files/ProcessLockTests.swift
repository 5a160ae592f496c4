import Testing

@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ProcessLockTests {
  private let folder = TemporaryFolder()

  @Test("acquiring a held lock throws the id of its process, and succeeds after the release of the lock")
  func exclusive() throws {
    var first: ProcessLock? = try ProcessLock(of: folder.at("state"))
    #expect(throws: ProcessLock.Failure.held(by: getpid())) { try ProcessLock(of: folder.at("state")) }
    _ = try ProcessLock(of: folder.at("other"))
    #expect(first?.path == folder.at("state.lock"))
    first = nil
    #expect(Folder.entry(at: folder.at("state.lock")) == .nothing)
    _ = try ProcessLock(of: folder.at("state"))
  }

  @Test("a lock can be acquired although a killed process left its lock file")
  func leftBehind() throws {
    folder.write("state.lock", "1\n")
    _ = try ProcessLock(of: folder.at("state"))
  }

  @Test("releasing a lock whose file was replaced does not remove the new file")
  func replaced() throws {
    var first: ProcessLock? = try ProcessLock(of: folder.at("state"))
    unlink(folder.at("state.lock"))
    let second = try ProcessLock(of: folder.at("state"))
    first = nil
    #expect(first == nil)
    #expect(Folder.entry(at: second.path) == .file)
  }

  @Test("acquiring a lock in a missing folder throws the system's error")
  func refused() {
    #expect(throws: ProcessLock.Failure.refused(ENOENT)) { try ProcessLock(of: folder.at("none/state")) }
  }

  @Test("temporary files of a state file are removed, and all other files of the folder stay")
  func drafts() throws {
    for name in ["state", "state.new-12", "state.new-99999", "state.new-x", "other.new-1", "state.refused"] {
      folder.write(name)
    }
    #expect(StateFile.removeDrafts(of: folder.at("state")) == 2)
    #expect(try Folder.names(in: folder.path) == ["other.new-1", "state", "state.new-x", "state.refused"])
  }
}
