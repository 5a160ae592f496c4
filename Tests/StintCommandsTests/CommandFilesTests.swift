import StintRuntime
import StintTools
import StintUnits
import Testing

@testable import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Files of a command line")
struct CommandFilesTests {
  private static let policy = """
    policy "v" version 1
    use location.gnss as gps
    rule saver while battery.level < 20% { pause gps }

    """
  private let folder = TestFolder()

  private func run(_ words: [String]) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  @Test(
    "an output that is also an input is refused before the work, and the error names both",
    arguments: [
      ["compile", "V", "-o", "V"], ["sim", "V", "--report", "V"], ["sim", "V", "--plan", "V"],
      ["test", "V", "--junit", "V"], ["compile", "V", "-o", "LINK"], ["compile", "V", "-o", "HARD"],
      ["compile", "V", "-o", "DOTTED"], ["compile", "DIR", "-o", "V"],
      ["compare", "none", "V", "--plan", "V"],
      ["tune", "V", "--traces", "DIR", "--write", "V"],
    ])
  func overwrites(words: [String]) throws {
    try folder.write("v.stint", Self.policy)
    #expect(symlink("v.stint", folder.at("link.stint")) == 0)
    #expect(link(folder.at("v.stint"), folder.at("hard.image")) == 0)
    let paths = [
      "V": folder.at("v.stint"), "LINK": folder.at("link.stint"), "HARD": folder.at("hard.image"),
      "DOTTED": folder.path + "/./v.stint", "DIR": folder.path,
    ]
    let answer = run(words.map { paths[$0] ?? $0 })
    #expect(answer.code == .misuse && answer.results.isEmpty)
    #expect(answer.log.contains("would overwrite the input \(paths[words[1]] ?? "")") || words[1] == "none")
    #expect(answer.log.contains(" \(paths[words.last ?? ""] ?? "") "), "\(answer.log)")
    #expect(try folder.text("v.stint") == Self.policy)
  }

  @Test("two outputs of a command line cannot be the same file, except a device file such as /dev/null")
  func twice() throws {
    let path = folder.at("x")
    let answer = run(["sim", "none", "--report", path, "--plan", folder.path + "/./x"])
    #expect(answer.code == .misuse && answer.results.isEmpty)
    #expect(answer.log.contains("--plan \(folder.path)/./x and --report \(path) are the same file"))
    #expect(Folder.entry(at: path) == .nothing)
    let journal = run(["sim", "none", "--journal", path, "--plan", path])
    #expect(journal.code == .misuse && journal.log.contains("are the same file"))
    let devices = ["--report", "/dev/null", "--plan", "/dev/null"]
    #expect(run(["sim", "none", "--scenario", "quiet"] + devices).code == .fine)
  }

  @Test(
    "an output that cannot be written is refused before the work",
    arguments: [
      ["sim", "missing.stint", "--plan"], ["compare", "none", "missing.stint", "--plan"],
      ["sim", "missing.stint", "--report"], ["sim", "missing.stint", "--journal"],
      ["test", "missing.stint", "--junit"], ["compile", "missing.stint", "-o"],
    ])
  func early(words: [String]) {
    let answer = run(words + [folder.at("gone/x")])
    #expect(answer.code == .misuse && answer.results.isEmpty)
    #expect(answer.log.contains("gone does not exist"))
    #expect(answer.log.contains("create the folder, or choose another path\n"))
  }

  @Test("standard output and an existing journal are refused as outputs")
  func refused() throws {
    #expect(run(["sim", "none", "--plan", "-"]).log.contains("--plan - cannot be standard output"))
    try folder.write("j", "")
    #expect(run(["sim", "none", "--journal", folder.at("j")]).log.contains("the file already exists"))
  }

  @Test("each option that writes or creates a file declares this in its definition (“run” is not checked)")
  func declared() {
    for definition in CommandTable.standard.definitions where definition.name != "run" {
      for option in definition.options where option.value != nil {
        let isOutput = ["write ", "also write "].contains { option.meaning.hasPrefix($0) }
        #expect(isOutput == (option.use?.isOutput ?? false), "\(definition.name) --\(option.name)")
      }
    }
  }

  #if os(Linux)
    @Test(
      "when the disk is full, the results are printed before the problem",
      arguments: [
        ["sim", "none", "--scenario", "quiet", "--report"],
        ["sim", "none", "--scenario", "tracker", "--plan"],
        ["compare", "none", "V", "--scenario", "quiet", "--report"], ["test", "V", "--junit"],
      ])
    func full(words: [String]) throws {
      try folder.write("v.stint", Self.policy + "test \"off at first\" {\n  expect not gps.on at 1 h\n}\n")
      let answer = run(words.map { $0 == "V" ? folder.at("v.stint") : $0 } + ["/dev/full"])
      #expect(answer.code == .misuse, "\(answer.log)")
      #expect(!answer.results.isEmpty && answer.log.contains("/dev/full: the disk is full"))
    }
  #endif

  @Test("`compare` reads both policies before it simulates the first policy")
  func bothFirst() {
    let recorded = RecordedConsole()
    let table = CommandTable(definitions: [
      CompareCommand.definition { request in
        if request.policies == ["b"] { throw Problem(.notFound, place: "b", cause: "there is no such file") }
        return { _ in throw Problem(.file, cause: "the first run began") }
      }
    ])
    let code = Commands.run(arguments: ["compare", "none", "b"], table: table, console: recorded.console)
    #expect(code == .misuse && recorded.log.contains("b: there is no such file"))
  }

  @Test(
    "combinations and values of options are checked before any file is read",
    arguments: [
      (["test", "gone", "--mutate", "--at-least", "900"], "0 to 100, for --at-least, found “900”"),
      (["test", "gone", "--at-least", "90"], "--at-least needs --mutate"),
      (["check", "gone", "--json", "--advise"], "--advise prints text only"),
      (["check", "gone", "--fix", "--advise"], "--advise and --fix exclude each other"),
      (["check", "gone", "-", "--fix"], "--fix cannot change standard input"),
      (["sim", "gone", "--journal-limit", "64MB"], "--journal-limit needs --journal"),
      (["replay", "gone", "--manifests", "gone"], "--manifests needs --policy"),
      (["compile", "gone"], "compile needs -o"), (["eval", "gone"], "eval needs --facts"),
    ])
  func combinations(words: [String], sentence: String) {
    let answer = run(words)
    #expect(answer.code == .misuse && answer.log.contains(sentence), "\(answer.log)")
  }

  @Test(
    "a file in a folder that the user may not enter is not reported as missing",
    .enabled(if: geteuid() != 0, "root may enter every folder"))
  func locked() throws {
    try Folder.make(folder.at("locked"))
    #expect(chmod(folder.at("locked"), 0) == 0)
    let answer = run(["check", folder.at("locked/x.stint")])
    #expect(
      answer.code == .misuse && answer.log.contains("you may not enter its folder \(folder.at("locked"))"))
    let output = run(["sim", "none", "--plan", folder.at("locked/plan")])
    #expect(output.code == .misuse && output.log.contains("change the permissions of the folder"))
    #expect(chmod(folder.at("locked"), 0o755) == 0)
  }

  @Test("--manifests skips descriptors of plugins and site files, and reports a folder without manifests")
  func pluginFolder() throws {
    try folder.write("v.stint", Self.policy)
    try folder.write("plugin.json", "{\"stint_plugin\": 1}")
    try folder.write("site.json", "{\"stint_site\": 1}")
    let words = ["check", folder.at("v.stint"), "--manifests", folder.path]
    let answer = run(words)
    #expect(answer.code == .misuse, "\(answer.log)")
    #expect(answer.log.contains("no manifest in this folder, only descriptors of plugins or site files"))
    #if os(Linux) && canImport(Glibc)
      let manifest = try FileText.read(Child.repository + "/Plugins/Gpsd/manifest.json")
      try FileText.write(manifest, to: folder.at("manifest.json"))
      #expect(run(words).code == .fine)
    #endif
  }

  @Test("the error for a path that is not a socket states what the path is")
  func noSocket() throws {
    try folder.write("file", "")
    #expect(run(["status", "--control", folder.path]).log.contains("it is a folder, not a socket"))
    let answer = run(["status", "--control", folder.at("file")])
    #expect(answer.code == .unreachable && answer.log.contains("it is a file, not a socket"))
  }
}
