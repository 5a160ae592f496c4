#if os(Linux)
  import Testing

  @testable import StintRuntime

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite struct FolderWatcherTests {
    private let folder = TemporaryFolder()

    private func watchPolicies() throws -> FolderWatcher {
      try FolderWatcher([.folder(folder.at("policies"), suffix: ".stint")])
    }

    @Test func `writing, replacing and removing are told; other files are not`() throws {
      folder.makeFolder("policies")
      folder.write("policies/old.stint")
      let watcher = try watchPolicies()
      #expect(watcher.drain().isEmpty)
      folder.write("policies/mail.stint")
      folder.write("policies/mail.stint~")
      folder.write("policies/.hiking.swp")
      rename(folder.at("policies/.hiking.swp"), folder.at("policies/hiking.stint"))
      unlink(folder.at("policies/old.stint"))
      folder.makeFolder("policies/deep.stint")
      #expect(
        watcher.drain() == [
          FileChange(path: folder.at("policies/hiking.stint"), kind: .written),
          FileChange(path: folder.at("policies/mail.stint"), kind: .written),
          FileChange(path: folder.at("policies/old.stint"), kind: .removed),
        ])
      #expect(watcher.drain().isEmpty)
    }

    @Test func `a file that is still being written is not told`() throws {
      folder.makeFolder("policies")
      let watcher = try watchPolicies()
      let descriptor = open(folder.at("policies/a.stint"), O_WRONLY | O_CREAT, 0o644)
      #expect(watcher.drain().isEmpty)
      close(descriptor)
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/a.stint"), kind: .written)])
      symlink("a.stint", folder.at("policies/b.stint"))
      #expect(watcher.drain() == [FileChange(path: folder.at("policies/b.stint"), kind: .written)])
    }

    @Test func `one file is watched through its folder, and may appear later`() throws {
      let watcher = try FolderWatcher([.file(folder.at("hiking.stint"))])
      folder.write("mail.stint")
      #expect(watcher.drain().isEmpty)
      folder.write("hiking.stint")
      #expect(watcher.drain() == [FileChange(path: folder.at("hiking.stint"), kind: .written)])
      unlink(folder.at("hiking.stint"))
      #expect(watcher.drain() == [FileChange(path: folder.at("hiking.stint"), kind: .removed)])
    }

    @Test func `a folder that is deleted is told, and watched again when it returns`() throws {
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

    @Test func `a folder that is renamed away and replaced is watched in its new place`() throws {
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

    @Test func `what cannot be watched is refused with its path and a next step`() {
      folder.write("file")
      for (path, code) in [("missing", WatchError.Code.notFound), ("file", .notFolder)] {
        do {
          _ = try FolderWatcher([.folder(folder.at(path), suffix: "")])
          Issue.record("\(path) was watched")
        } catch {
          #expect(error.code == code)
          #expect(error.path == folder.at(path))
          #expect(!error.nextStep.isEmpty)
        }
      }
    }

    @Test func `records of the kernel are taken apart, and a cut one is left out`() {
      let one: [UInt8] =
        [1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0] + Array("ab".utf8) + [0, 0]
        + [2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [3, 0, 0, 0]
      if 1.littleEndian == 1 {
        #expect(
          NoticedEvent.parse(one) == [
            NoticedEvent(watch: 1, mask: 8, name: "ab"), NoticedEvent(watch: 2, mask: 1024, name: ""),
          ])
      }
    }
  }
#endif
