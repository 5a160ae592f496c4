#if os(Linux)
  import Testing

  @testable import StintRuntime

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  import StintUnits

  @Suite struct FolderWatcherTests {
    private let folder = TemporaryFolder()

    private func watchPolicies() throws -> FolderWatcher {
      try FolderWatcher([.folder(folder.at("policies"), suffix: ".stint")])
    }

    @Test func `writing, replacing and removing policies are reported; other files are ignored`() throws {
      folder.makeFolder("policies")
      folder.write("policies/old.stint")
      let watcher = try watchPolicies()
      #expect(watcher.drain().isEmpty)
      folder.write("policies/mail.stint")
      folder.write("policies/mail.stint~")
      folder.write("policies/.hiking.swp")
      rename(folder.at("policies/.hiking.swp"), folder.at("policies/hiking.stint"))
      unlink(folder.at("policies/old.stint"))
      folder.makeFolder("policies/deep")
      #expect(
        watcher.drain() == [
          FileChange(path: folder.at("policies/hiking.stint"), kind: .written),
          FileChange(path: folder.at("policies/mail.stint"), kind: .written),
          FileChange(path: folder.at("policies/old.stint"), kind: .removed),
        ])
      #expect(watcher.drain().isEmpty)
    }

    @Test func `a file that is still being written is not reported`() throws {
      folder.makeFolder("policies")
      let watcher = try watchPolicies()
      let descriptor = open(folder.at("policies/a.stint"), O_WRONLY | O_CREAT, 0o644)
      #expect(watcher.drain().isEmpty)
      close(descriptor)
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/a.stint"), kind: .written)])
      symlink("a.stint", folder.at("policies/b.stint"))
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/b.stint"), kind: .written)])
    }

    @Test func `a pipe and a folder with the name of a policy are reported when they come and go`() throws {
      folder.makeFolder("policies")
      let watcher = try watchPolicies()
      let paths = ["a.stint", "b.stint"].map { folder.at("policies/\($0)") }
      mkfifo(paths[0], 0o600)
      folder.makeFolder("policies/b.stint")
      #expect(watcher.drain() == paths.map { FileChange(path: $0, kind: .written) })
      unlink(paths[0])
      rmdir(paths[1])
      #expect(watcher.drain() == paths.map { FileChange(path: $0, kind: .removed) })
    }

    @Test func `a single file is watched through its folder and may be created later`() throws {
      let watcher = try FolderWatcher([.file(folder.at("hiking.stint"))])
      folder.write("mail.stint")
      #expect(watcher.drain().isEmpty)
      folder.write("hiking.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("hiking.stint"), kind: .written)])
      unlink(folder.at("hiking.stint"))
      #expect(watcher.drain() == [FileChange(path: folder.at("hiking.stint"), kind: .removed)])
    }

    @Test func `a deleted folder is reported, and watched again when it returns`() throws {
      folder.makeFolder("policies")
      let path = folder.at("policies")
      let watcher = try watchPolicies()
      rmdir(path)
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderVanished)])
      folder.makeFolder("other")
      #expect(watcher.drain().isEmpty)
      folder.makeFolder("policies")
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      folder.write("policies/a.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/a.stint"), kind: .written)])
    }

    @Test func `a folder that was renamed and replaced is watched at its path`() throws {
      folder.makeFolder("policies")
      let path = folder.at("policies")
      let watcher = try watchPolicies()
      rename(path, folder.at("aside"))
      folder.makeFolder("policies")
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      folder.write("aside/a.stint")
      #expect(watcher.drain().isEmpty)
      folder.write("policies/b.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/b.stint"), kind: .written)])
    }

    @Test func `a replaced link is reported, and its new target is watched`() throws {
      folder.makeFolder("one")
      folder.makeFolder("two")
      symlink("one", folder.at("policies"))
      let path = folder.at("policies")
      let watcher = try watchPolicies()
      folder.write("one/a.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/a.stint"), kind: .written)])
      symlink("two", folder.at("next"))
      rename(folder.at("next"), path)
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      folder.write("one/a.stint")
      #expect(watcher.drain().isEmpty)
      folder.write("two/b.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/b.stint"), kind: .written)])
      unlink(path)
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderVanished)])
    }

    @Test func `a replaced link in the middle of a path is reported`() throws {
      for release in ["one", "two"] {
        folder.makeFolder(release)
        folder.makeFolder(release + "/policies")
      }
      symlink(folder.at("one"), folder.at("current"))
      let path = folder.at("current/policies")
      let watcher = try FolderWatcher([.folder(path, suffix: ".stint")])
      symlink("two", folder.at("next"))
      rename(folder.at("next"), folder.at("current"))
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      folder.write("two/policies/b.stint")
      #expect(watcher.drain() == [FileChange(path: path + "/b.stint", kind: .written)])
    }

    @Test
    func `links to files are followed, and replacing a folder link on their path is one change`()
      throws
    {
      folder.makeFolder("policies")
      let path = folder.at("policies")
      for version in ["..1", "..2"] {
        folder.makeFolder("policies/" + version)
        folder.write("policies/\(version)/a.stint")
      }
      symlink("..1", folder.at("policies/..data"))
      symlink("..data/a.stint", folder.at("policies/a.stint"))
      let watcher = try watchPolicies()
      folder.write("policies/..1/a.stint")
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      symlink("..2", folder.at("policies/..data_tmp"))
      rename(folder.at("policies/..data_tmp"), folder.at("policies/..data"))
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      folder.write("policies/..1/a.stint")
      #expect(watcher.drain().isEmpty)
      folder.write("policies/..2/a.stint")
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
    }

    @Test func `removed and restored permissions are reported`() throws {
      folder.makeFolder("policies")
      folder.write("policies/a.stint")
      let watcher = try watchPolicies()
      chmod(folder.at("policies/a.stint"), 0)
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/a.stint"), kind: .written)])
      chmod(folder.at("policies"), 0)
      chmod(folder.at("policies"), 0o755)
      #expect(watcher.drain() == [FileChange(path: folder.at("policies"), kind: .folderReturned)])
      folder.write("policies/b.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/b.stint"), kind: .written)])
    }

    @Test func `a folder that was removed with its parents is watched again when it returns`() throws {
      folder.makeFolder("deep")
      folder.makeFolder("deep/policies")
      let path = folder.at("deep/policies")
      let watcher = try FolderWatcher([.folder(path, suffix: ".stint")])
      rename(folder.at("deep"), folder.at("away"))
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderVanished)])
      folder.makeFolder("deep")
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderVanished)])
      folder.makeFolder("deep/policies")
      #expect(watcher.drain() == [FileChange(path: path, kind: .folderReturned)])
      folder.write("deep/policies/a.stint")
      #expect(watcher.drain() == [FileChange(path: path + "/a.stint", kind: .written)])
    }

    @Test func `changes next to the folders on the path cause no event`() throws {
      folder.makeFolder("policies")
      let watcher = try watchPolicies()
      for number in 0..<100 { folder.write("beside-\(number)") }
      var entry = pollfd(fd: watcher.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&entry, 1, 0) == 0)
    }

    @Test func `a cycle of links gives an error and does not block`() {
      symlink("b", folder.at("a"))
      symlink("a", folder.at("b"))
      #expect(throws: Problem.self) { try FolderWatcher([.folder(folder.at("a"), suffix: "")]) }
    }

    @Test func `a path that cannot be watched gives an error with the path and a remedy`() {
      folder.write("file")
      for (path, code) in [("missing", Problem.Code.notFound), ("file", .notFolder)] {
        do {
          _ = try FolderWatcher([.folder(folder.at(path), suffix: "")])
          Issue.record("\(path) was watched")
        } catch {
          #expect(error.code == code)
          #expect(error.place.name == folder.at(path))
          #expect(!error.remedy.isEmpty)
        }
      }
    }

    @Test func `events of the kernel are parsed, and a truncated event is ignored`() {
      let one: [UInt8] =
        [1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0] + Array("ab".utf8) + [0, 0]
        + [2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [3, 0, 0, 0]
      if 1.littleEndian == 1 {
        #expect(
          FileEvent.parse(one) == [
            FileEvent(watch: 1, mask: 8, name: "ab"), FileEvent(watch: 2, mask: 1024, name: ""),
          ])
      }
    }
  }
#endif
