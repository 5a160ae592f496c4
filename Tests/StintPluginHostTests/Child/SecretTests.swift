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

  @Test("a secret that is not there is a failure that names the setting and the place")
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

  @Test("printed lines and faults have “…” in place of a secret, also in an incomplete last line")
  func masked() {
    var lines = OutputLines()
    lines.mask.secrets = ["correct-horse", ""]
    let printed = lines.receive(Array("using correct-horse now\nand correct-horse".utf8)[...])
    #expect(printed == ["using … now"] && lines.last == "and …")
    #expect(lines.mask.masked(.fault("refused correct-horse")) == .fault("refused …"))
    #expect(lines.mask.masked(.state(1, period: nil)) == .state(1, period: nil))
  }
}
