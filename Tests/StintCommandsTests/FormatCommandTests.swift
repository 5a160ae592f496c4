import StintRuntime
import Testing

@testable import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("fmt")
struct FormatCommandTests {
  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let table = CommandTable(definitions: [FormatCommand.definition()])
    let code = Commands.run(arguments: ["fmt"] + words, table: table, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  @Test("fmt --check lists unformatted files and writes nothing; fmt without --check formats the file")
  func inPlace() throws {
    let path = "/tmp/stint-fmt-test-\(UInt64.random(in: 0...UInt64.max)).stint"
    let text = "policy   \"x\" version 1\n"
    try FileText.write(Array(text.utf8), to: path)
    defer { remove(path) }
    #expect(run("--check", path) == (.findings, path + "\n", ""))
    #expect(try FileText.read(path) == Array(text.utf8))
    #expect(run(path) == (.fine, "", "formatted \(path)\n"))
    #expect(try FileText.read(path) == Array("policy \"x\" version 1\n".utf8))
    #expect(run(path) == (.fine, "", ""))
    #expect(run("--check", path) == (.fine, "", ""))
    try FileText.write(Array("rule".utf8), to: path)
    #expect(run(path).code == .findings)
    #expect(run(path).log.contains("\(path):1:1: error["))
    #expect(try FileText.read(path) == Array("rule".utf8))
  }
}
