import StintModel
import StintUnits
import Testing

/// Tests the values of channels of bytes, and their text.
@Suite struct SampleBytesTests {
  private static let samples = (0..<3).map { number in
    Sample(instant: .epoch + .seconds(Int64(number)), sequence: UInt64(number), Double(number))
  }

  private static let rows: [[[UInt8]]] = [[[1, 2], []], [[], [3]], [[4], [5, 6, 7]]]

  @Test("each sample has its own values, also after the first samples are removed")
  func rows() {
    var bytes = SampleBytes(Self.rows)
    #expect(bytes.count == 3 && bytes.largestRow == 4)
    #expect(bytes.longest(ofChannel: 0) == 2 && bytes.longest(ofChannel: 1) == 3)
    #expect((0..<3).map { bytes.row($0).map { Array($0) } } == Self.rows)
    bytes.removeFirst(2)
    #expect(bytes.count == 1 && bytes.row(0).map { Array($0) } == Self.rows[2])
    bytes.append([8, 9])
    bytes.append([])
    #expect(bytes.count == 2 && bytes.row(1).map { Array($0) } == [[8, 9], []])
    bytes.removeFirst(0)
    #expect(bytes.count == 2)
  }

  @Test("a sample keeps its bytes when other samples are removed and when samples are renumbered")
  func filtered() {
    let wide = WideValues(width: 0, samples: Self.samples, values: [], bytes: SampleBytes(Self.rows))
    #expect(wide.bytes(of: Self.samples[2]).map { Array($0) } == Self.rows[2])
    #expect(wide.row(of: Self.samples[2]).isEmpty && wide.hasRow(of: Self.samples[2]))
    let later = Self.samples.map { sample in
      var later = sample
      later.sequence += 100
      return later
    }
    let numbered = wide.numbered(as: later)
    #expect(numbered.bytes(of: later[1]).map { Array($0) } == Self.rows[1])
    #expect(!numbered.hasRow(of: Self.samples[1]) && numbered.bytes(of: Self.samples[1]).isEmpty)
  }

  @Test("the values of a sample are those of its channels: numbers, words and bytes")
  func values() {
    let manifest = Manifest(
      device: "air.receiver", kind: .sensor, title: "",
      channels: [
        Channel(name: "signal", unit: "dBm"), Channel(name: "form", unit: "", options: ["short", "long"]),
        Channel(name: "payload", unit: "", bytes: 4), Channel(name: "key", unit: "", bytes: 3),
      ])
    let sample = Sample(instant: .epoch, sequence: 0, -60, 1)
    let bytes = SampleBytes([[[0, 255], []]])
    let wide = WideValues(width: 0, samples: [sample], values: [], bytes: bytes)
    let values = manifest.values(of: sample, with: wide)
    #expect(values.map(\.channel.name) == ["signal", "form", "payload", "key"])
    #expect(values.map(\.value) == [.number(-60), .word("long"), .bytes([0, 255]), .bytes([])])
    #expect(manifest.values(of: sample, with: nil).count == 2)
    #expect(manifest.wideWidth == 0 && manifest.byteChannels.count == 2)
  }

  @Test("hexadecimal digits denote the same bytes again; other text denotes none")
  func hexadecimal() {
    let bytes = (0...255).map { UInt8($0) }
    let text = ChannelValue.hexadecimal(bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(ChannelValue.bytes(hexadecimal: text) == bytes)
    #expect(ChannelValue.bytes(hexadecimal: text.uppercased()) == bytes)
    #expect(ChannelValue.bytes(hexadecimal: "") == [])
    for wrong in ["0", "0g", " 00", "００"] { #expect(ChannelValue.bytes(hexadecimal: wrong) == nil) }
  }

  @Test("channels of bytes are last, at most four, and have 1 to 255 bytes")
  func faults() {
    func sentences(_ channels: [Channel]) -> [String] {
      Manifest(
        device: "air.receiver", kind: .sensor, title: "",
        states: [PowerState(name: "off", power: .zero, isOn: false)], channels: channels
      ).faults().map(\.sentence)
    }
    func bytes(_ name: String, _ count: Int) -> Channel { Channel(name: name, unit: "", bytes: count) }
    #expect(sentences((0..<4).map { bytes("c\($0)", 255) }) == [])
    #expect(
      sentences((0..<5).map { bytes("c\($0)", 1) }) == ["5 channels of bytes exceed the limit of 4"])
    #expect(
      sentences([bytes("a", 1), Channel(name: "b", unit: "m")])
        == ["“b” follows “a”; channels of bytes must be last"])
    for count in [0, 256] {
      #expect(sentences([bytes("a", count)]) == ["“a” has \(count) bytes, not 1 to 255"])
    }
  }
}
