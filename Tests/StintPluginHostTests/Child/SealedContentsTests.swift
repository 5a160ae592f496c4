#if os(Linux)
  import StintPluginHost
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite("Contents of sealed files")
  struct SealedContentsTests {
    @Test("all bytes of a file are inspected in order, in portions of at most 256 KiB")
    func portions() throws {
      let folder = try ScratchFolder()
      try folder.write(String(repeating: "0123456789", count: 100_000), as: "file")
      var seen: [UInt8] = []
      var longest = 0
      let contents = try SealedContents(copying: folder.path + "/file", limit: 1 << 20) { part in
        seen += part
        longest = max(longest, part.count)
      }
      #expect(contents.count == 1_000_000)
      #expect(seen == Array(String(repeating: "0123456789", count: 100_000).utf8))
      #expect(longest <= 256 << 10)
    }

    @Test("a pipe is refused at once, without waiting for its writer")
    func pipes() throws {
      let folder = try ScratchFolder()
      #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
      let failure = #expect(throws: ChildFailure.self) {
        try SealedContents(copying: folder.path + "/pipe", limit: 1 << 20) { _ in }
      }
      #expect(failure?.sentence == "\(folder.path)/pipe is not a regular file")
      #expect(failure?.isPermanent == true)
    }

    @Test("a file above the limit is refused")
    func excess() throws {
      let folder = try ScratchFolder()
      try folder.write("12345", as: "file")
      let failure = #expect(throws: ChildFailure.self) {
        try SealedContents(copying: folder.path + "/file", limit: 4) { _ in }
      }
      #expect(failure?.sentence.contains("larger than 4 bytes, the unused part of the limit") == true)
      #expect(try SealedContents(copying: folder.path + "/file", limit: 5) { _ in }.count == 5)
    }
  }
#endif
