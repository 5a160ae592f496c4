import StintTestSupport
import Testing

@testable import StintLanguageServer

@Suite("Language server: text of a document")
struct DocumentTextTests {
  @Test(
    "positions in UTF-16 and UTF-8 units map to the same offset",
    arguments: [
      // Line, UTF-16, UTF-8, offset in "aä€😀b\r\nx\ry\n".
      (0, 0, 0, 0), (0, 1, 1, 1), (0, 2, 3, 3), (0, 3, 6, 6), (0, 5, 10, 10), (0, 6, 11, 11), (1, 0, 0, 13),
      (2, 1, 1, 16), (3, 0, 0, 17),
    ])
  func places(_ line: Int, _ utf16: Int, _ utf8: Int, _ offset: Int) {
    let text = DocumentText("aä€😀b\r\nx\ry\n")
    let wide = TextPosition(line: line, character: utf16)
    let narrow = TextPosition(line: line, character: utf8)
    #expect(text.offset(of: wide, .utf16) == offset)
    #expect(text.offset(of: narrow, .utf8) == offset)
    #expect(text.position(of: offset, .utf16) == wide)
    #expect(text.position(of: offset, .utf8) == narrow)
  }

  @Test(
    "an invalid position maps to the nearest valid offset; within a character, to the start of the character",
    arguments: [
      (0, 4, PositionEncoding.utf16, 6), (0, 4, .utf8, 3), (0, 9, .utf8, 6), (0, 99, .utf16, 11),
      (0, 99, .utf8, 11), (9, 0, .utf16, 17), (-1, 3, .utf8, 0), (1, -4, .utf16, 13), (0, .max, .utf8, 11),
      (.max, .max, .utf16, 17),
    ])
  func clamped(_ line: Int, _ character: Int, _ encoding: PositionEncoding, _ offset: Int) {
    let text = DocumentText("aä€😀b\r\nx\ry\n")
    #expect(text.offset(of: TextPosition(line: line, character: character), encoding) == offset)
  }

  @Test(
    "after any sequence of edits, text and lines equal those of the final text opened directly",
    arguments: 0..<20)
  func edits(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = ["a", "ä", "😀", "\n", "\r", "\r\n", "rule ", "", "\n\n", "\n\r", "{ }", "€\r"]
    var text = DocumentText("one\r\ntwo\n")
    var whole = "one\r\ntwo\n"
    let encoding = seed % 2 == 0 ? PositionEncoding.utf8 : .utf16
    for _ in 0..<300 {
      let places = (0..<2).map { _ in
        text.offset(
          of: TextPosition(
            line: Int.random(in: 0..<text.lineStarts.count + 1, using: &random),
            character: Int.random(in: 0..<12, using: &random)), encoding)
      }
      let start = min(places[0], places[1])
      let end = random.once(in: 3) ? max(places[0], places[1]) : start
      let added = random.pick(pieces) + random.pick(pieces)
      text.replace(start..<end, with: added)
      var bytes = Array(whole.utf8)
      bytes.replaceSubrange(start..<end, with: Array(added.utf8))
      whole = String(decoding: bytes, as: UTF8.self)
      #expect(text == DocumentText(whole))
    }
    #expect(!whole.unicodeScalars.contains("\u{FFFD}"), "no edit splits a character")
  }
}
