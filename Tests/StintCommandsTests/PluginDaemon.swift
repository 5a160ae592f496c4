import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A daemon with plugin processes, which runs in a folder of its own.
  struct PluginDaemon {
    let folder: String
    private var daemon: Child

    /// Writes the files, and seals the plugin in the folder `probe`.
    ///
    /// - Parameters:
    ///   - folder: an empty folder, which a daemon uses for `site.json`, `rules.stint` and its socket.
    ///   - files: the files by their paths in the folder.
    ///   - build: builds the plugin's program in this folder, before the seal.
    static func prepare(
      _ folder: String, _ files: [String: String], build: (_ probe: String) throws -> Void = { _ in }
    ) throws {
      for part in ["", "/probe"] { try Folder.make(folder + part) }
      for (path, text) in files { try write(text, to: folder + "/" + path) }
      try build(folder + "/probe")
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: ["plugin", "seal", folder + "/probe"], table: .standard, console: console.console)
      try #require(code == .fine, "\(console.log)")
    }

    /// Prepares a folder and starts a daemon in it; see `prepare(_:_:build:)`.
    init(
      in folder: String, _ files: [String: String], build: (_ probe: String) throws -> Void = { _ in }
    ) throws {
      let stint = try #require(Child.program, "the program is built beside the tests")
      self.folder = folder
      try Self.prepare(folder, files, build: build)
      daemon = try Child([
        stint, "run", "--site", folder + "/site.json", "--policies", folder + "/rules.stint", "--control",
        folder + "/socket",
      ])
    }

    private static func write(_ text: String, to path: String) throws {
      try FileText.write(Array(text.utf8), to: path)
      _ = chmod(path, 0o755)
    }

    /// Writes a file of the folder again.
    func replace(_ path: String, with text: String) throws { try Self.write(text, to: folder + "/" + path) }

    /// Returns a file of the repository.
    static func file(_ path: String) throws -> String {
      String(decoding: try FileText.read(Child.repository + "/" + path), as: UTF8.self)
    }

    /// Waits until the daemon has printed the text.
    mutating func hear(_ text: String) {
      let isThere = daemon.readUntil(text)
      #expect(isThere, "the daemon did not print “\(text)”")
    }

    /// Discards the output until now.
    mutating func forget() { daemon.forget() }

    /// Returns the output of a command that queries the daemon.
    func ask(_ words: String...) -> String {
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: words + ["--control", folder + "/socket"], table: .standard, console: console.console)
      #expect(code == .fine)
      return console.results
    }

    func signal(_ number: Int32) { daemon.signal(number) }

    func end() {
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)
    }
  }
#endif
