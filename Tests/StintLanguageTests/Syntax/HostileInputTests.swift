import StintAuthoring
import StintLanguage
import StintModel
import StintTestSupport
import Testing

@Suite("Hostile input")
struct HostileInputTests {
  private func check(_ bytes: [UInt8]) -> [Diagnostic] {
    let source = SourceText(file: "h", bytes: bytes)
    let found = Checker.check([source], vocabulary: TestVocabulary.vocabulary).diagnostics
    let text = DiagnosticRenderer.text(found, sources: [source])
    #expect(text.utf8.count < 400_000)
    for label in found.flatMap(\.labels) {
      #expect(label.span.start >= 0 && label.span.start <= label.span.end)
      #expect(label.span.end <= source.bytes.count + 3)
    }
    _ = Formatter.format(source)
    return found
  }

  @Test(
    "a text of thousands of bytes that repeats a short piece gives diagnostics and causes no crash",
    arguments: [
      "(", "{", "[", "}", ")", "\"", "\"\n", "-", "not ", "1+", "x and ", "x implies ", " for 1 s",
      " in last 1 s", ".a", "a", "5 ", "#", "\0", "é ", "let a = b\n", "rule r while (\n", "rule\n", "\r",
      "5 a",
    ])
  func repeated(piece: String) {
    for head in ["", "policy \"p\"\nlet a = ", "policy \"p\"\nrule r while "] {
      let count = (Tier.current >= .gate ? 30_000 : 3000) / piece.utf8.count
      let text = Array(head.utf8) + Array(repeatElement(Array(piece.utf8), count: count).joined())
      let found = check(text)
      #expect(!found.isEmpty)
      #expect(found.count <= 3000)
    }
  }

  @Test("a chain of thousands of lets is rejected, in either order of declaration")
  func longChains() {
    let count = 3000
    let forwards = (1...count).map { "let a\($0) = not a\($0 - 1)\n" }.joined()
    let backwards = (1...count).map { "let a\($0) = not a\($0 + 1)\n" }.joined()
    for text in ["policy \"p\"\nlet a0 = screen.on\n" + forwards, "policy \"p\"\n" + backwards] {
      let codes = Set(check(Array(text.utf8)).map(\.code))
      #expect(!codes.isDisjoint(with: [.tooDeep, .tooLarge]))
    }
  }

  @Test("a condition nested almost to the limit has no diagnostics")
  func deepest() {
    for (open, close) in [("(", ")"), ("not (", ")"), ("not ", "")] {
      let count = open == "not (" ? 90 : 190
      let text =
        "policy \"p\"\nrule r while " + String(repeating: open, count: count) + "screen.on"
        + String(repeating: close, count: count) + " { pause location.gnss }"
      #expect(check(Array(text.utf8)).isEmpty)
    }
  }

  @Test("invalid UTF-8 and zero bytes are reported; a byte-order mark and CR LF are not")
  func bytes() {
    let sound = Array("policy \"p\"\n".utf8)
    #expect(check([0xEF, 0xBB, 0xBF] + sound).isEmpty)
    #expect(check(sound + [0xFF, 0xFE, 0x41]).contains { $0.code == .invalidEncoding })
    #expect(check(sound + [0, 0, 0]).map(\.code) == [.invalidEncoding])
    #expect(check(Array("policy \"p\"\r\n\trule r always\t{ pause location.gnss }\r\n".utf8)).isEmpty)
  }

  @Test("random bytes give diagnostics and cause no crash", arguments: Trials(40).seeds)
  func garbage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(!check(bytes).isEmpty)
  }

  @Test(
    "a damaged policy causes no crash, and formatting keeps its tree if the policy is valid",
    arguments: Trials(3000).seeds)
  func mutated(seed: UInt64) {
    var generator = PolicyGenerator(seed: seed)
    var bytes = Array(generator.policy().utf8)
    var random = SeededGenerator(seed: seed &+ 1_000_000)
    for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > 8 {
      let start = Int.random(in: 0..<bytes.count - 4, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...12, using: &random))
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
      case 2: bytes[start] = UInt8.random(in: 0...255, using: &random)
      default:
        bytes.replaceSubrange(
          start..<end, with: Array(random.pick(["{", "}", "(", "rule", "5 m", "\"", "or"]).utf8))
      }
    }
    _ = check(bytes)
    let source = SourceText(file: "h", bytes: bytes)
    guard case .success(let once) = Formatter.format(source) else { return }
    #expect(formatted(once) == once)
    #expect(tree(once) == tree(source.text))
  }
}
