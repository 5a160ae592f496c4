import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Secrets of plugins", .serialized) struct SecretTests {
  private func program(_ secret: SecretReference) -> ChildProgram {
    var program = ChildProgram(
      name: "modem", manifest: Manifest(device: "a.b", kind: .source, title: ""), path: "/nowhere",
      settings: [PluginSettingEntry("port", .whole(1))])
    program.secrets = ["token": secret]
    return program
  }

  @Test("a secret is found in the environment or in the folder of credentials, without its line feed")
  func places() throws {
    let folder = try ScratchFolder()
    try folder.write("correct-horse\n", as: "modem-token")
    setenv("STINT_TEST_SECRET", "battery-staple", 1)
    setenv("CREDENTIALS_DIRECTORY", folder.path, 1)
    defer {
      unsetenv("STINT_TEST_SECRET")
      unsetenv("CREDENTIALS_DIRECTORY")
    }
    for (secret, text) in [
      (SecretReference.environment("STINT_TEST_SECRET"), "battery-staple"),
      (.credential("modem-token"), "correct-horse"),
    ] {
      let settings = try program(secret).openSettings()
      #expect(settings.secrets == [text])
      #expect(
        settings.entries == [PluginSettingEntry("port", .whole(1)), PluginSettingEntry("token", .text(text))])
    }
    withExtendedLifetime(folder) {}
  }

  @Test("a missing secret is a failure that names the setting and the place")
  func missing() {
    unsetenv("CREDENTIALS_DIRECTORY")
    let failure = #expect(throws: ChildFailure.self) {
      try program(.environment("STINT_TEST_NOTHING")).openSettings()
    }
    #expect(
      failure?.sentence
        == "has no value of its setting “token”: STINT_TEST_NOTHING: this environment variable is not set")
    #expect(throws: ChildFailure.self) { try program(.credential("modem-token")).openSettings() }
  }

  @Test("printed lines and faults have “…” in place of a secret, even in an incomplete last line")
  func masked() {
    var lines = OutputLines()
    lines.mask.add(["correct-horse", ""])
    let printed = lines.receive(Array("using correct-horse now\nand correct-horse".utf8)[...])
    #expect(printed == ["using … now"] && lines.last == "and …")
    #expect(lines.mask.masked(.fault("refused correct-horse")) == .fault("refused …"))
    #expect(lines.mask.masked(.state(1, period: nil)) == .state(1, period: nil))
    let failed = AttemptReport(.failed(TransferFault("bad correct-horse")), key: "a", attempt: 1)
    #expect(lines.mask.masked(failed).report == .failed(TransferFault("bad …")))
    #expect(lines.mask.masked(ChildFailure(.hang, "quotes correct-horse")).sentence == "quotes …")
  }

  @Test("no part of a long secret remains, wherever a line is cut", arguments: [0, 100, 190, 199, 205])
  func cut(start: Int) {
    let secret = (0..<700).map { "\($0 % 10)" }.joined() + "end"
    var lines = OutputLines()
    lines.mask.add([secret])
    let line = String(repeating: "x", count: start) + secret
    let printed = lines.receive(Array((line + "\n" + line.dropLast(300)).utf8)[...])
    for text in printed + [lines.last ?? ""] {
      #expect(!text.contains("0123") && text.utf8.count <= 203, "\(text)")
    }
  }

  @Test("of two secrets, the longer secret is replaced first; secrets of a former start are still replaced")
  func nested() {
    var mask = SecretMask()
    mask.add(["abc"])
    mask.add(["abcdef"])
    #expect(mask.masked("abcdef abc") == "… …")
  }

  @Test(
    "a secret that is too long or has a control character is refused, and the failure does not contain it",
    arguments: [String(repeating: "s", count: 1025), "a\nb", "a\u{7F}"])
  func unusable(secret: String) {
    setenv("STINT_TEST_SECRET", secret, 1)
    defer { unsetenv("STINT_TEST_SECRET") }
    let failure = #expect(throws: ChildFailure.self) {
      try program(.environment("STINT_TEST_SECRET")).openSettings()
    }
    #expect(failure?.sentence.contains("at most 1024 bytes without control characters") == true)
    #expect(failure?.sentence.contains(secret) == false)
  }
}
