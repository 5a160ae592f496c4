import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

/// Programs and folders in place of policies, sites, scenarios and manifests.
@Suite("Files that are not text")
struct BinaryFileTests {
  private func run(_ words: [String]) -> (code: ExitCode, text: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
    return (code, recorded.results + recorded.log)
  }

  private static let policy = Repository.path("policies/mail.stint")
  /// The commands that read policies, sites, scenarios and manifests; `P` is the path of the file.
  private static let commands: [[String]] = [
    ["check", "P"], ["check", policy, "--site", "P"], ["test", "P"], ["test", policy, "--scenario", "P"],
    ["fmt", "P"], ["check", "P", "--fix"], ["compile", "P", "-o", "/tmp/never"], ["diff", "P", "none"],
    ["sim", "P", "--scenario", "quiet"], ["sim", "none", "--scenario", "P"], ["compare", "none", "P"],
    ["eval", "P", "--facts", "P"], ["push", "P", "--control", "/tmp/nobody"],
    ["plugin", "list", "--site", "P"],
    ["run", "--policies", "P", "--simulate", "quiet"], ["run", "--policies", policy, "--site", "P"],
    ["run", "--policies", policy, "--simulate", "P"],
  ]

  @Test("a program in place of a text file gives one problem with a remedy", arguments: commands)
  func program(_ words: [String]) throws {
    let folder = TestFolder()
    var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]
    var random = SeededGenerator(seed: 1)
    bytes += (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try FileText.write(bytes, to: folder.at("program"))
    let answer = run(words.map { $0 == "P" ? folder.at("program") : $0 })
    #expect(answer.code != .fine)
    #expect(answer.text.contains("this is not a text file"), "\(answer.text)")
    #expect(answer.text.split(separator: "\n").count <= 6, "\(answer.text)")
  }

  @Test("a folder without policies in place of a file gives one problem with a remedy", arguments: commands)
  func folder(_ words: [String]) throws {
    let folder = TestFolder()
    let answer = run(words.map { $0 == "P" ? folder.path : $0 })
    #expect(answer.code != .fine)
    #expect(answer.text.contains("folder"), "\(answer.text)")
    let lines = answer.text.split(separator: "\n")
    #expect(lines.count <= 3 && lines.last?.hasPrefix("  ") == true, "\(answer.text)")
  }
}
