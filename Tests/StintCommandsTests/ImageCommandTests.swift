import StintRuntime
import StintTools
import Testing

@testable import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("compile and disasm")
struct ImageCommandTests {
  private static let policies =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/policies"

  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  /// Calls the body with a path in a temporary folder, and then removes the folder.
  private func withPath(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/stint-image-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      unlink(folder + "/image")
      unlink(folder + "/other")
      rmdir(folder)
    }
    try body(folder + "/image")
  }

  @Test("compile writes equal bytes from a policy and from the image of that policy")
  func compiles() throws {
    try withPath { path in
      let written = run("compile", Self.policies + "/hiking.stint", "-o", path)
      #expect(written.code == .fine)
      let bytes = try FileText.read(path)
      #expect(written.results.hasPrefix("\(path): 1 policy, \(bytes.count) bytes, SHA-256 "))
      #expect(run("compile", path, "--output", path).code == .fine)
      #expect(try FileText.read(path) == bytes)
      let told = run("compile", "--json", Self.policies + "/hiking.stint", "-o", path).results
      #expect(told.hasPrefix(#"{"stint_compile":1,"image":"\#(path)","bytes":\#(bytes.count),"sha256":""#))
    }
  }

  @Test("disasm prints an image as text and as JSON")
  func prints() throws {
    try withPath { path in
      _ = run("compile", Self.policies + "/courier.stint", "-o", path)
      let text = run("disasm", path)
      #expect(text.code == .fine)
      for line in [
        "policy courier version 1", "rule 0: courier/road, while", "for each demand:", "held for, slot",
      ] {
        #expect(text.results.contains(line), "\(line)")
      }
      let json = run("disasm", "--json", path)
      #expect(json.code == .fine)
      #expect(json.results.hasPrefix(#"{"stint_disasm":1,"version":5,"language":1,"#))
    }
  }

  @Test("compile rejects a policy with an error and writes no file")
  func refusesErrors() throws {
    try withPath { path in
      try FileText.write(Array("policy \"p\" rule a while nothing.there { stop gps }".utf8), to: path)
      let other = path.dropLast("image".count) + "other"
      #expect(run("compile", path, "-o", String(other)).code == .findings)
      #expect(Folder.entry(at: String(other)) == .nothing)
    }
  }

  @Test(
    "an invalid command line, or a file that does not exist, is a usage error, and the message names the error",
    arguments: [
      (["compile", "x.stint"], "compile needs -o"), (["compile", "-o", "y"], "compile needs FILE..."),
      (["disasm"], "disasm needs IMAGE"), (["disasm", "/nowhere/image"], "/nowhere/image"),
      (["compile", "/nowhere/a.stint", "-o", "y"], "/nowhere/a.stint"),
      (["compile", "-q", "x"], "no option -q"),
    ])
  func misuse(words: [String], sentence: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
    #expect(code == .misuse)
    #expect(recorded.log.contains(sentence), "\(recorded.log)")
  }

  @Test(
    "disasm rejects a policy text, and a damaged image is reported with its damaged part and a remedy")
  func refusesDamage() throws {
    try withPath { path in
      let text = run("disasm", Self.policies + "/hiking.stint")
      #expect(text.code == .findings)
      #expect(text.log.contains("does not begin with the signature of an image"))
      _ = run("compile", Self.policies + "/hiking.stint", "-o", path)
      var bytes = try FileText.read(path)
      bytes[bytes.count - 9] ^= 4
      try FileText.write(bytes, to: path)
      for words in [["disasm", path], ["sim", path, "--scenario", "day-hike"]] {
        let recorded = RecordedConsole()
        #expect(Commands.run(arguments: words, table: .standard, console: recorded.console) == .findings)
        #expect(recorded.log.contains("the rebuildable part"))
        #expect(recorded.log.contains("compiles its policy texts again"))
      }
      // The proposed remedy works.
      #expect(run("compile", path, "-o", path).code == .fine)
      #expect(run("disasm", path).code == .fine)
    }
  }

  @Test("sim rejects an image together with another policy file")
  func alone() throws {
    try withPath { path in
      _ = run("compile", Self.policies + "/hiking.stint", "-o", path)
      let both = run("sim", path, Self.policies + "/mail.stint", "--scenario", "day-hike")
      #expect(both.code == .findings)
      #expect(both.log.contains("give only this path"))
    }
  }
}
