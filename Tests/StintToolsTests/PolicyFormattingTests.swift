import StintLanguage
import Testing

@testable import StintTools

@Suite("Formatting of policies")
struct PolicyFormattingTests {
  private static func format(_ text: String) -> PolicyFormatting {
    PolicyFormatting(SourceText(file: "a.stint", text: text))
  }

  @Test("the shipped policies are in canonical layout", arguments: PolicyCheckTests.shipped)
  func shipped(path: String) throws {
    for file in try PolicyFiles.read([path]).map({ PolicyFormatting($0) }) {
      #expect(file.state == .canonical, "\(file.text ?? "")")
    }
  }

  @Test("a different layout becomes canonical, and a second run does not change it")
  func different() throws {
    let first = Self.format("policy   \"x\"  version 1\nlet a=1 s   <2 s # why\n")
    #expect(first.state == .different)
    #expect(first.complaint() == nil)
    let second = Self.format(try #require(first.text))
    #expect(second.state == .canonical)
    #expect(second.text == first.text)
  }

  @Test(
    "a file that cannot be parsed is reported and not changed",
    arguments: ["", "policy \"x\" version 1\nlet = 3\n", "\u{0}"])
  func broken(text: String) {
    let file = Self.format(text)
    #expect(file.state == .broken)
    #expect(file.text == nil)
    #expect(file.complaint()?.contains("a.stint:") == true)
  }

  @Test("a file with a byte-order mark is not canonical")
  func mark() throws {
    let canonical = try #require(Self.format("policy \"x\" version 1\n").text)
    let marked = SourceText(file: "a.stint", bytes: [0xEF, 0xBB, 0xBF] + Array(canonical.utf8))
    #expect(PolicyFormatting(marked).state == .different)
  }

  @Test("the JSON contains each file with its state")
  func json() {
    let files = [Self.format("policy \"x\" version 1\n"), Self.format("")]
    #expect(
      PolicyFormatting.jsonText(files)
        == #"{"stint_fmt":1,"files":[{"file":"a.stint","state":"canonical"},{"file":"a.stint","state":"broken"}]}"#
    )
  }
}
