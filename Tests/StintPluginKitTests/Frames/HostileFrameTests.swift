import StintModel
import StintPluginKit
import StintUnits
import Testing

/// Tests the decoding of bytes from an untrusted sender.
@Suite("Plugin protocol: hostile frames")
struct HostileFrameTests {
  private let good = PluginFrame.fact(0, .number(20), at: Instant(nanoseconds: 5)).frame(0)

  private func code(_ bytes: [UInt8]) -> FrameFault.Code? {
    var reader = FrameReader()
    reader.append(bytes)
    do throws(FrameFault) {
      guard let frame = try reader.next() else { return nil }
      _ = try PluginFrame(frame)
      return nil
    } catch {
      return error.code
    }
  }

  private func changed(_ place: Int, to byte: UInt8) -> [UInt8] {
    var bytes = good.bytes
    bytes[place] = byte
    return bytes
  }

  @Test("an invalid frame header is a fault")
  func headers() {
    #expect(code(good.bytes) == nil)
    #expect(code(changed(0, to: 15)) == .size)
    #expect(code(changed(3, to: 0x80)) == .size)
    #expect(code(changed(4, to: 99)) == .form)
    #expect(code(changed(6, to: 1)) == .form)
    #expect(code(changed(8, to: 1)) == .sequence)
  }

  @Test("a frame with a repeated sequence number is a fault")
  func repeatedSequence() throws {
    var reader = FrameReader()
    reader.append(good.bytes)
    #expect(try reader.next() != nil)
    reader.append(good.bytes)
    #expect(throws: FrameFault.self) { try reader.next() }
  }

  @Test("frames do not depend on how their bytes are split")
  func splitFrames() throws {
    let frames = (0..<5).map { PluginFrame.fault("x\($0)", at: .epoch).frame(UInt64($0)) }
    let stream = frames.flatMap(\.bytes)
    for size in [1, 2, 7, 16, 17, 40] {
      var reader = FrameReader()
      var found: [Frame] = []
      var rest = stream[...]
      while !rest.isEmpty {
        reader.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        while let frame = try reader.next() { found.append(frame) }
      }
      #expect(found == frames)
    }
  }

  @Test(
    "a value that is not a finite number is a fault",
    arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func notFinite(value: Double) {
    let fact = PluginFrame.fact(0, .number(value), at: .epoch).frame(0)
    #expect(code(fact.bytes) == .value)
    let batch = PluginFrame.batch(
      [Sample(instant: .epoch, sequence: 0, 0, value)], .immediate, at: .epoch
    ).frame(0)
    #expect(code(batch.bytes) == .value)
  }

  @Test("a string with invalid bytes or a wrong length is a fault")
  func strings() {
    func fault(_ text: [UInt8], saying count: Int? = nil) -> [UInt8] {
      let size = UInt16(count ?? text.count)
      let body = [UInt8](repeating: 0, count: 8) + [UInt8(size & 255), UInt8(size >> 8)] + text
      return Frame(kind: 25, sequence: 0, body: body).bytes
    }
    #expect(code(fault(Array("fine".utf8))) == nil)
    #expect(code(fault([0xFF, 0xFE])) == .form)
    #expect(code(fault([0x1B, 0x5B])) == .form)
    #expect(code(fault(Array("long".utf8), saying: 5)) == .size)
    #expect(code(fault(Array("long".utf8), saying: 3)) == .size)
    #expect(code(fault([UInt8](repeating: 0x61, count: 1025))) == .size)
  }

  @Test("a batch with a wrong count of bytes or an unknown reason is a fault")
  func batches() {
    func batch(_ count: UInt8, bytes: Int, reason: UInt8 = 0) -> [UInt8] {
      let head = [UInt8](repeating: 0, count: 8) + [reason, 0, 0, 0, count, 0, 0, 0]
      return Frame(kind: 15, sequence: 0, body: head + [UInt8](repeating: 0, count: bytes)).bytes
    }
    #expect(code(batch(1, bytes: 48)) == nil)
    #expect(code(batch(0, bytes: 0)) == .size)
    #expect(code(batch(1, bytes: 47)) == .size)
    #expect(code(batch(1, bytes: 96)) == .size)
    #expect(code(batch(1, bytes: 48, reason: 3)) == .form)
  }

  @Test("decoding a frame that is changed or truncated at any byte never traps")
  func changedBytes() {
    let frames: [PluginFrame] = [
      .welcome(major: 1, minor: 0),
      .manifest(FrameManifest(device: "a", states: ["b"], events: ["c"], channels: [.init("d", unit: "m")])),
      .applied(1, state: 1, period: .seconds(1), at: .epoch), .refused(1, "no", at: .epoch),
      .batch([Sample(instant: .epoch, sequence: 0, 1)], .full, at: .epoch),
      .fact(0, .symbol(1), at: .epoch), .event(0, count: 1, at: .epoch), .available(true, at: .epoch),
    ]
    var faults = 0
    for frame in frames {
      let bytes = frame.frame(0).bytes
      for place in bytes.indices {
        for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
          var other = bytes
          other[place] = value
          faults += code(other) == nil ? 0 : 1
        }
        faults += code(Array(bytes[..<place])) == nil ? 0 : 1
      }
    }
    #expect(faults > 500)
  }

  @Test("a manifest frame that differs from the manifest is a fault")
  func otherManifest() throws {
    let manifest = Manifest(
      device: "a.b", kind: .sensor, title: "", states: [.init(name: "off", power: .zero, isOn: false)],
      channels: [.init(name: "x", unit: "m")],
      facts: [
        FactSchema(path: "a.b.level", type: .quantity(.ratio)), FactSchema(path: "a.b.up", type: .boolean),
      ])
    let right = FrameManifest(of: manifest)
    #expect(try right.scales(for: manifest).count == 2)
    var percent = right
    percent.facts[0].unit = "%"
    #expect(try percent.scales(for: manifest)[0] == 0.01)
    let changes: [(inout FrameManifest) -> Void] = [
      { $0.device = "a.c" }, { $0.states = [] }, { $0.states = ["on"] }, { $0.events = ["scan"] },
      { $0.channels[0].unit = "km" }, { $0.channels[0].name = "y" }, { $0.channels = [] },
      { $0.facts[0].unit = "m" }, { $0.facts[0].unit = "" }, { $0.facts[1].unit = "m" },
      { $0.facts[0].name = "lever" }, { $0.facts.removeLast() }, { $0.facts.swapAt(0, 1) },
    ]
    for (number, change) in changes.enumerated() {
      var other = right
      change(&other)
      #expect(throws: FrameFault.self, "change \(number)") { try other.scales(for: manifest) }
    }
  }
}
