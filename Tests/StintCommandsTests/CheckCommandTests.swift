import StintFormats
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import Testing

@testable import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("check")
struct CheckCommandTests {
  private static let wrong =
    "policy \"x\" version 1\nrule r while screen.onn { pause location.gnss }  # dark\n"
  private static let right = wrong.replacing("onn", with: "on")

  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let table = CommandTable(definitions: [CheckCommand.definition()])
    let code = Commands.run(arguments: ["check"] + words, table: table, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  /// Calls the body with the path of a file that contains `text`. Returns the file's text after the call.
  private func withFile(_ text: String, _ body: (String) throws -> Void) throws -> String {
    let path = "/tmp/stint-check-test-\(UInt64.random(in: 0...UInt64.max)).stint"
    try FileText.write(Array(text.utf8), to: path)
    defer { remove(path) }
    try body(path)
    return String(decoding: try FileText.read(path), as: UTF8.self)
  }

  @Test("--fix corrects the file and lists its changes, and a second run changes nothing")
  func fix() throws {
    let after = try withFile(Self.wrong) { path in
      #expect(run(path).code == .findings)
      let answer = run(path, "--fix")
      #expect(answer.code == .fine)
      #expect(answer.results.hasPrefix("\(path):2:14: fixed[P0201]: replace “screen.onn” by “screen.on”\n"))
      let again = run(path, "--fix")
      #expect(again.code == .fine && !again.results.contains("fixed["))
      #expect(run(path).results == again.results)
    }
    #expect(after == Self.right)
  }

  @Test("--fix reports a read-only file and does not change it")
  func readOnly() throws {
    let after = try withFile(Self.wrong) { path in
      chmod(path, 0o444)
      let answer = run(path, "--fix")
      #expect(answer.code == .misuse && answer.results.isEmpty)
      #expect(answer.log.hasPrefix("stint: \(path): ") && answer.log.contains("\n  "))
    }
    #expect(after == Self.wrong)
  }

  @Test("standard input with an unknown format is a usage error, and so is --fix without a file")
  func standardInput() {
    #expect(run("-", "--format", "yaml").code == .misuse)
    #expect(run("--fix").code == .misuse)
  }

  @Test("check prints text, JSON or SARIF as --format specifies, and --json is equal to --format json")
  func formats() throws {
    _ = try withFile(Self.wrong) { path in
      let text = run(path, "--format", "text")
      #expect(text == run(path))
      #expect(text.code == .findings && text.results.contains("2:14: error[P0201]"))
      let json = run(path, "--format", "json")
      #expect(json == run(path, "--json"))
      let value = try JSONReader.value(of: Array(json.results.utf8), source: "json")
      #expect(value["diagnostics"]?.items?.count == 1)
      let sarif = run(path, "--format", "sarif")
      #expect(sarif.code == .findings)
      let log = try JSONReader.value(of: Array(sarif.results.utf8), source: "sarif")
      #expect(log["version"]?.string == "2.1.0")
      #expect(log["runs"]?.items?.first?["results"]?.items?.count == 1)
    }
  }

  @Test("an unknown format is a usage error, and so are --json and --format with different formats")
  func wrongFormats() throws {
    _ = try withFile(Self.right) { path in
      let unknown = run(path, "--format", "yaml")
      #expect(unknown.code == .misuse && unknown.log.contains("text, json, sarif"))
      #expect(run(path, "--json", "--format", "sarif").code == .misuse)
      #expect(run(path, "--json", "--format", "json").code == .fine)
    }
  }

  @Test("with --manifests, the predicted energy of readings follows from the given manifests")
  func prices() throws {
    let text = "policy \"x\" version 1\nrule r when location.gnss.speed > 40 m/s { emit \"fast\" }\n"
    func price(_ path: String, _ words: [String]) throws -> Int64 {
      let recorded = RecordedConsole()
      let table = CommandTable(definitions: [CheckCommand.definition()])
      let code = Commands.run(
        arguments: ["check", path, "--json"] + words, table: table, console: recorded.console)
      #expect(code == .fine, "\(recorded.log)")
      let json = try JSONReader.value(of: Array(recorded.results.utf8), source: "json")
      let price = json["readings"]?.items?.first?["most_nJ_per_day"]?.integer
      return try #require(price)
    }
    let temporaryFiles = TemporaryFiles()
    let manifest = DeviceProfile.reference.manifestText("location.gnss")
    let folders = try ["75 mW", "750 mW"].map { power in
      let folder = temporaryFiles.path("manifests")
      mkdir(folder, 0o700)
      let text = manifest.replacing("75 mW", with: power)
      try FileText.write(Array(text.utf8), to: folder + "/location.gnss.json")
      return folder
    }
    _ = try withFile(text) { path in
      let reference = try price(path, [])
      #expect(try price(path, ["--manifests", folders[0]]) == reference)
      let dear = try price(path, ["--manifests", folders[1]])
      #expect(dear > 9 * reference && dear < 11 * reference)
    }
  }

  @Test("the help page of check describes --format and --fix")
  func help() {
    let answer = run("--help")
    #expect(answer.results.contains("text, json or sarif"))
    #expect(answer.results.contains("--fix"))
  }
}
