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

@Suite struct FolderTests {
  private let folder = TemporaryFolder()

  @Test func `policies are the visible files with the suffix, sorted`() throws {
    for name in ["mail.stint", "fleet.stint", "README", ".hidden.stint", "old.stint~"] { folder.write(name) }
    folder.makeFolder("sub")
    #expect(try Folder.policies(at: folder.path) == [folder.at("fleet.stint"), folder.at("mail.stint")])
    #expect(try Folder.policies(at: folder.at("README")) == [folder.at("README")])
  }

  @Test(arguments: ["a pipe", "a folder", "a link to a missing file"])
  func `a pipe, a folder or a broken link with the name of a policy is refused with its path`(kind: String)
    throws
  {
    folder.write("fleet.stint")
    let path = folder.at("other.stint")
    switch kind {
    case "a pipe": #expect(mkfifo(path, 0o600) == 0)
    case "a folder": folder.makeFolder("other.stint")
    default: #expect(symlink(folder.at("none"), path) == 0)
    }
    let problem = #expect(throws: Problem.self) { try Folder.policies(at: folder.path) }
    #expect(problem?.code == .refused)
    #expect(problem?.place.name == path)
    #expect(unlink(path) == 0 || rmdir(path) == 0)
    #expect(try Folder.policies(at: folder.path) == [folder.at("fleet.stint")])
  }

  @Test func `a link to a file is a policy, and a pipe is read only when its own path is given`() throws {
    folder.write("fleet.stint")
    #expect(symlink(folder.at("fleet.stint"), folder.at("link.stint")) == 0)
    #expect(mkfifo(folder.at("pipe"), 0o600) == 0)
    #expect(try Folder.policies(at: folder.path) == [folder.at("fleet.stint"), folder.at("link.stint")])
    #expect(try Folder.policies(at: folder.at("pipe")) == [folder.at("pipe")])
    #expect(Folder.entry(at: folder.at("pipe")) == .other)
  }

  @Test func `an empty folder has no policies; a missing folder is an error`() throws {
    #expect(try Folder.policies(at: folder.path).isEmpty)
    do {
      _ = try Folder.policies(at: folder.at("none"))
      Issue.record("a missing folder was listed")
    } catch {
      #expect(error.code == .notFound)
    }
    #expect(Folder.entry(at: folder.path) == .folder)
    #expect(Folder.entry(at: folder.at("none")) == .nothing)
  }
}
