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
    folder.makeFolder("sub.stint")
    #expect(try Folder.policies(at: folder.path) == [folder.at("fleet.stint"), folder.at("mail.stint")])
    #expect(try Folder.policies(at: folder.at("README")) == [folder.at("README")])
  }

  @Test func `a pipe in a folder of policies is skipped, because opening it could block`() throws {
    folder.write("fleet.stint")
    #expect(mkfifo(folder.at("pipe.stint"), 0o600) == 0)
    #expect(try Folder.policies(at: folder.path) == [folder.at("fleet.stint")])
    #expect(try Folder.policies(at: folder.at("pipe.stint")) == [folder.at("pipe.stint")])
    #expect(Folder.entry(at: folder.at("pipe.stint")) == .other)
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
