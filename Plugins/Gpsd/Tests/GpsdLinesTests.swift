import Testing

@testable import StintGpsd

@Suite("gpsd: lines")
struct GpsdLinesTests {
  private func text(_ text: String) -> GpsdLines.Line { .text(Array(text.utf8)) }

  @Test("the lines do not depend on how the bytes are split", arguments: 1...7)
  func cuts(size: Int) {
    let bytes = Array("{\"a\":1}\r\n\r\n\n{\"b\":2}\n{\"c".utf8)
    var lines = GpsdLines()
    var seen: [GpsdLines.Line] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      seen += lines.append(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(seen == [text("{\"a\":1}"), text("{\"b\":2}")])
    #expect(lines.heldCount == 3)
  }

  @Test("a line that is too long is reported once, and the next line is read")
  func oversize() {
    var lines = GpsdLines()
    let long = [UInt8](repeating: 0x41, count: 3 * GpsdLines.limit)
    #expect(lines.append(long) == [.oversize])
    #expect(lines.heldCount == 0)
    #expect(lines.append(Array("x\n{}\n".utf8)) == [text("{}")])
  }

  @Test("a line whose length equals the limit is read")
  func limit() {
    var lines = GpsdLines()
    let line = [UInt8](repeating: 0x41, count: GpsdLines.limit)
    #expect(lines.append(line + [0x0A]) == [.text(line)])
  }
}
