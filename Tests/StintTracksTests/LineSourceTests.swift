import StintUnits
import Testing

@testable import StintTracks

@Suite("Lines")
struct LineSourceTests {
  private static func lines(_ source: LineSource) throws(Problem) -> [String] {
    var lines: [String] = []
    while try source.advance() { lines.append(source.text) }
    return lines
  }

  @Test("LF, CRLF and the end of the file end a line")
  func ends() throws {
    let source = LineSource(text: "a\r\nb\n\nc\rd", name: "t")
    #expect(try Self.lines(source) == ["a", "b", "", "c\rd"])
    #expect(source.lineNumber == 4)
    #expect(source.isUnfinished)
    let whole = LineSource(text: "a\n", name: "t")
    #expect(try Self.lines(whole) == ["a"])
    #expect(!whole.isUnfinished)
    #expect(try Self.lines(LineSource(text: "", name: "t")) == [])
  }

  @Test("lines of every length are read, even across the ends of the read buffer")
  func lengths() throws {
    let texts = [0, 1, 65_534, 65_535, 65_536, 65_537, 3, 200_000, LineSource.lengthLimit].map {
      String(repeating: "x", count: $0)
    }
    #expect(try Self.lines(LineSource(text: texts.joined(separator: "\n"), name: "t")) == texts)
  }

  @Test("a line longer than 1 MiB is rejected, with or without its line ending", arguments: ["", "\n"])
  func tooLong(end: String) {
    let text = "short\n" + String(repeating: "x", count: LineSource.lengthLimit + 1) + end
    let error = #expect(throws: Problem.self) { try Self.lines(LineSource(text: text, name: "t")) }
    #expect(error?.code == .size)
    #expect(error?.place.text == TextLocation(line: 2, column: 1))
  }

  @Test("the buffer does not grow with the number of lines")
  func flatMemory() throws {
    let line = Array("12345.5,45.452596,14.018194,753.3,,,walk\n".utf8)
    let source = LineSource(bytes: Array(repeatElement(line, count: 20_000).joined()), name: "t")
    var count = 0
    var longest = 0
    while try source.advance() {
      count += 1
      longest = max(longest, source.buffer.count)
    }
    #expect(count == 20_000)
    #expect(longest <= 2 * 65_536)
  }

  @Test(
    "a file that cannot be opened gives an error with its path and a remedy",
    arguments: [("/nowhere/x.csv", Problem.Code.notFound), ("/tmp", .folder), ("/dev/null/x", .notFound)])
  func unopenable(path: String, code: Problem.Code) {
    let error = #expect(throws: Problem.self) { try LineSource(path: path) }
    #expect(error?.code == code)
    #expect(error?.place.name == path)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("decimal numbers round as in Swift, and other texts are not numbers")
  func decimals() {
    let good = [
      "0", "-0", "1", "+1.5", ".5", "5.", "0.1", "45.452596", "123456789012345678", "9007199254740993",
      "1e10", "2.5E-3", "0.000000000000000000000001", "179769313486231570000", "1e-400",
    ]
    for text in good {
      #expect(
        DecimalText.number(Array(text.utf8)[...])
          == Double(text.hasSuffix(".") ? String(text.dropLast()) : text.hasPrefix(".") ? "0" + text : text),
        "\(text)")
    }
    for text in [
      "", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "nan", "inf", "1 ", " 1", "1,5", "--1", "1e999",
    ] {
      #expect(DecimalText.number(Array(text.utf8)[...]) == nil, "\(text)")
    }
  }
}
