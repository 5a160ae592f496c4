import StintFormats
import StintRuntime
import StintTestSupport
import StintTools
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// Plugins with a channel of bytes, in Python and in C, from the process to a client program.
  @Suite(
    .enabled(
      if: access("/usr/bin/python3", X_OK) == 0 && access("/usr/bin/cc", X_OK) == 0,
      "the plugins are in Python and in C"))
  struct ByteTests {
    private let temporaryFiles = TemporaryFiles()

    /// Returns the payload of the sample with this number.
    private func payload(_ number: Int) -> String {
      let text = String(number % 256, radix: 16)
      return (text.count == 1 ? "0" : "") + text + String(repeating: "00", count: number % 4)
    }

    @Test(
      "a client program gets the bytes of each sample as hexadecimal digits", arguments: ByteProgram.allCases)
    func client(language: ByteProgram) throws {
      var daemon = try PluginDaemon(
        in: temporaryFiles.path("bytes"), try language.files, build: language.build)
      daemon.hear("rules.stint is watched")
      for second in [1, 2] {
        let lines = daemon.ask("request", "samples", "--device", "air.receiver", "--count", "6")
          .split(separator: "\n")
        #expect(lines.count == 6, "request \(second): \(lines)")
        for line in lines {
          let sample = try JSONReader.value(of: String(line), source: "sample")
          let members = sample.members ?? []
          #expect(members.map(\.name) == ["t", "number", "payload"])
          let number = try #require(members.first { $0.name == "number" }).value
          let value = try #require(Double(JSONWriter.text(of: number)))
          #expect(members.last?.value.string == payload(Int(value)), "\(line)")
        }
      }
      daemon.end()
    }

    @Test("“plugin run” shows bytes as hexadecimal digits", arguments: ByteProgram.allCases)
    func session(language: ByteProgram) throws {
      let folder = temporaryFiles.path("session")
      try PluginDaemon.prepare(folder, try language.files, build: language.build)
      let orders = Orders(["on", "wait 300 ms", "off", "end"])
      let console = RecordedConsole()
      let isServed = try PluginSession.run(
        folder + "/probe", settings: [], nextLine: { orders.next() }, isInterrupted: { false },
        output: { console.console.result($0) })
      #expect(isServed)
      for number in 0..<4 {
        #expect(
          console.results.contains("number \(number), number \(number).0 , payload \(payload(number))\n"),
          "\(console.results)")
      }
    }

    @Test("“plugin check” accepts a plugin with a channel of bytes", arguments: ByteProgram.allCases)
    func check(language: ByteProgram) throws {
      let folder = temporaryFiles.path("check")
      try PluginDaemon.prepare(folder, try language.files, build: language.build)
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: ["plugin", "check", folder + "/probe"], table: .standard, console: console.console)
      #expect(code == .fine, "\(console.results)\(console.log)")
    }

    @Test("a longer value than the manifest allows ends the process, and the status names the channel")
    func tooLong() throws {
      var files = try ByteProgram.python.files
      files["probe/manifest.json"]?.replace("\"bytes\": 4", with: "\"bytes\": 2")
      files["site.json"]?.replace(
        "]}", with: "], \"clients\": [{\"name\": \"logger\", \"demands\": [{\"target\": \"air.receiver\"}]}]}"
      )
      var daemon = try PluginDaemon(in: temporaryFiles.path("long"), files)
      daemon.hear("sent 3 bytes in “payload”, but its manifest allows 2")
      daemon.end()
    }

    @Test("a policy that names a channel of bytes is refused with the reason")
    func policy() throws {
      let folder = temporaryFiles.path("policy")
      var files = try ByteProgram.python.files
      for name in ["receiver.payload", "air.receiver.payload"] {
        files["rules.stint"] = """
          policy "receiver" version 1
          use air.receiver as receiver
          rule a "a message" when known(\(name)) and receiver.powered { emit "message" }
          """
        try PluginDaemon.prepare(folder, files)
        let console = RecordedConsole()
        let code = Commands.run(
          arguments: ["check", folder + "/rules.stint", "--site", folder + "/site.json"], table: .standard,
          console: console.console)
        let text = console.results + console.log
        #expect(code == .findings)
        #expect(
          text.contains("“payload” of air.receiver is a channel of bytes, which policies cannot read"),
          "\(text)")
      }
    }
  }

  /// The lines of the standard input of a session.
  private final class Orders: @unchecked Sendable {
    private var lines: [String]
    init(_ lines: [String]) { self.lines = lines }
    func next() -> String? { lines.isEmpty ? nil : lines.removeFirst() }
  }
#endif
