import CStintPlugin
import StintModel
import StintPluginKit
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks that the Swift code encodes and decodes the test vectors of the protocol page, `PROTOCOL.md`.
@Suite("Plugin protocol: test vectors")
struct FrameVectorsTests {
  private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

  private static func after(_ nanoseconds: Int64) -> Instant { start + TimeSpan(nanoseconds: nanoseconds) }

  private static let host: [(String, HostFrame)] = [
    ("hello", .hello(major: 1, minor: 1, now: start, steady: 5_000_000_000)),
    (
      "open",
      .open(
        [
          .init("source", .text("/dev/é")), .init("offset", .whole(-3)),
          .init("warm_up", .span(.milliseconds(1500))), .init("loud", .flag(true)),
        ], at: start)
    ),
    (
      "apply-on",
      .apply(
        1, Setting(isOn: true, accuracy: 12.5, period: .seconds(1), isHolding: true, activity: "fitness"),
        at: start)
    ),
    ("apply-off", .apply(2, .off, at: start)),
    ("drain", .drain(3, at: start)),
    ("close", .close(at: start)),
    ("ring", .ring(capacity: 262_144, at: start)),
    (
      "carry",
      .startTransfer(
        AssignedTransfer(
          demand: DemandID(5), transfer: Transfer(bytesUp: 2000, bytesDown: 300_000, deadline: nil)),
        at: start)
    ),
    ("abandon", .cancelTransfer(DemandID(5), at: start)),
    (
      "order",
      .order(
        .start(
          TransferExchange(
            task: "a", attempt: 2, key: "mail/sync/a",
            request: TransferRequest(.download(from: "https://mail.example/a"), bytesDown: 9000), offset: 1500
          ),
          on: "radio.lora"), at: start)
    ),
    ("read", .read(4, at: start)),
    ("wake", .wake(at: start)),
  ]

  private static let wide = Sample(instant: after(19), sequence: 2, 21.5, 1, 2, 3)

  private static let plugin: [(String, PluginFrame)] = [
    ("welcome", .welcome(major: 1, minor: 1)),
    (
      "manifest",
      .manifest(
        FrameManifest(
          device: "ambient.temperature", states: ["off", "on"], events: ["probe"],
          channels: [.init("temperature", unit: "C")],
          facts: [.init("temperature", unit: "C"), .init("trend")]))
    ),
    ("opened", .opened(at: after(1))),
    ("applied", .applied(1, state: 1, period: .seconds(1), at: after(2))),
    ("refused", .refused(2, "the probe is unplugged", at: after(3))),
    (
      "batch",
      .batch(
        [Sample(instant: after(4), sequence: 0, 21.5), Sample(instant: after(5), sequence: 1, 21.625)],
        .ended, at: after(9))
    ),
    ("drained", .drained(3, at: after(9))),
    ("fact-unknown", .fact(0, .unknown, at: after(10))),
    ("fact-truth", .fact(2, .boolean(true), at: after(10))),
    ("fact-number", .fact(0, .number(-40.25), at: after(10))),
    ("fact-word", .fact(1, .symbol(2), at: after(10))),
    ("state", .state(0, period: nil, at: after(11))),
    ("event", .event(0, count: 3, at: after(12))),
    ("available", .available(false, at: after(13))),
    ("fault", .fault("cannot read: no such device", at: after(14))),
    ("closed", .closed(at: after(15))),
    ("mapped", .mapped(at: after(16))),
    ("carried", .carried(DemandID(5), at: after(17))),
    ("abandoned", .abandoned(DemandID(6), bytes: 1500, at: after(18))),
    (
      "report",
      .report(AttemptReport(.finished(file: "/spool/a"), key: "mail/sync/a", attempt: 2), at: after(19))
    ),
    (
      "wide-batch",
      .wideBatch(
        [wide], WideValues(width: 2, samples: [wide], values: [0.5, -1]), .immediate, at: after(20))
    ),
    ("published", .published(4, at: after(21))),
    ("wake-at", .wakeAt(earliest: after(30), latest: after(40), at: after(22))),
    ("keyed-fact", .keyedFact(0, key: "4711", .number(1.25), at: after(24))),
    (
      "byte-batch",
      .wideBatch(
        [wide],
        WideValues(width: 1, samples: [wide], values: [0.5], bytes: SampleBytes([[[0, 255, 16], []]])),
        .immediate, at: after(25))
    ),
  ]

  /// The test vectors by name, in the order of the page.
  private static let vectors: [(name: String, hexadecimal: String)] = {
    let root = #filePath.components(before: "/Tests/StintPluginKitTests/")
    guard let file = fopen(root + "/Sources/CStintPlugin/PROTOCOL.md", "r") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, file)
    let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
    return lines.drop { $0 != "```vectors" }.dropFirst().prefix { $0 != "```" }.map { line in
      let parts = line.split(separator: " ")
      return (String(parts[0]), String(parts[1]))
    }
  }()

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    var digits = hexadecimal.utf8.map { $0 >= 0x61 ? $0 - 0x57 : $0 - 0x30 }[...]
    var bytes: [UInt8] = []
    while digits.count >= 2 { bytes.append(digits.removeFirst() << 4 | digits.removeFirst()) }
    return bytes
  }

  @Test("the protocol page has a test vector for each kind of frame")
  func everyKind() {
    #expect(
      Self.vectors.map(\.name) == Self.host.map(\.0) + ["for-device"] + Self.plugin.map(\.0) + ["of-device"])
  }

  @Test("frames of the host are encoded and decoded as on the protocol page")
  func hostFrames() throws {
    for (sequence, (entry, vector)) in zip(Self.host, Self.vectors).enumerated() {
      let frame = entry.1.frame(UInt64(sequence))
      #expect(Self.hexadecimal(frame.bytes) == vector.hexadecimal, "\(vector.name)")
      #expect(try HostFrame(frame) == entry.1, "\(vector.name)")
    }
  }

  @Test("frames of a plugin are encoded and decoded as on the protocol page")
  func pluginFrames() throws {
    var reader = FrameReader()
    for (sequence, (entry, vector)) in zip(Self.plugin, Self.vectors.dropFirst(Self.host.count + 1))
      .enumerated()
    {
      #expect(
        Self.hexadecimal(entry.1.frame(UInt64(sequence)).bytes) == vector.hexadecimal, "\(vector.name)")
      reader.append(Self.bytes(vector.hexadecimal))
      let frame = try #require(try reader.next())
      #expect(try PluginFrame(frame) == entry.1, "\(vector.name)")
    }
    #expect(try reader.next() == nil)
  }

  @Test("frames about one of several devices are encoded and decoded as on the protocol page")
  func addressedFrames() throws {
    let (host, plugin) = (
      HostFrame.drain(3, at: Self.start), PluginFrame.state(0, period: nil, at: Self.after(11))
    )
    let frames = [
      ("for-device", host.frame(12), device: 2, kind: FrameLayout.hostAddressKind),
      ("of-device", plugin.frame(25), device: 1, kind: FrameLayout.pluginAddressKind),
    ]
    for (name, frame, device, kind) in frames {
      let sent = frame.addressed(to: device, kind: kind)
      let vector = Self.vectors.first { $0.name == name }
      #expect(Self.hexadecimal(sent.bytes) == vector?.hexadecimal)
      let read = try sent.resolved(kind)
      #expect(read.device == device && read.frame == frame)
    }
    #expect(UInt32(FrameLayout.hostAddressKind) == STINT_FOR_DEVICE.rawValue)
    #expect(UInt32(FrameLayout.pluginAddressKind) == STINT_OF_DEVICE.rawValue)
    #expect(FrameLayout.addressSize == MemoryLayout<stint_address>.size)
    #expect(FrameLayout.maxDevices == Int(STINT_MOST_DEVICES))
  }

  @Test("the C header and the Swift code have equal constants")
  func headerInC() throws {
    #expect(FrameLayout.major == UInt16(STINT_PROTOCOL_MAJOR))
    #expect(FrameLayout.minor == UInt16(STINT_PROTOCOL_MINOR))
    #expect(FrameLayout.headerSize == MemoryLayout<stint_frame_header>.size)
    #expect(FrameLayout.sampleSize == MemoryLayout<stint_sample>.size)
    #expect(FrameLayout.largest == Int(STINT_LARGEST_FRAME))
    #expect(FrameLayout.maxSamples == Int(STINT_MOST_SAMPLES))
    #expect(FrameLayout.firstDraft == UInt16(STINT_FIRST_DRAFT))
    #expect(FrameLayout.longestText == Int(STINT_LONGEST_TEXT))
    #expect(InputBounds.byteChannels == Int(STINT_MOST_BYTE_CHANNELS))
    #expect(InputBounds.channelBytes == Int(STINT_MOST_BYTES))
    let kinds = [
      STINT_HELLO.rawValue, STINT_OPEN.rawValue, STINT_APPLY.rawValue, STINT_DRAIN.rawValue,
      STINT_CLOSE.rawValue, STINT_RING.rawValue, STINT_CARRY.rawValue, STINT_ABANDON.rawValue,
      STINT_ORDER.rawValue, STINT_READ.rawValue, STINT_WAKE.rawValue,
    ]
    let said = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11].map { UInt32(Self.host[$0].1.frame(0).kind) }
    #expect(said == kinds)
    let answers = [
      STINT_WELCOME.rawValue, STINT_MANIFEST.rawValue, STINT_OPENED.rawValue, STINT_APPLIED.rawValue,
      STINT_REFUSED.rawValue, STINT_BATCH.rawValue, STINT_DRAINED.rawValue, STINT_FACT.rawValue,
      STINT_FACT.rawValue, STINT_FACT.rawValue, STINT_FACT.rawValue, STINT_STATE.rawValue,
      STINT_EVENT.rawValue, STINT_AVAILABLE.rawValue, STINT_FAULT.rawValue, STINT_CLOSED.rawValue,
      STINT_MAPPED.rawValue, STINT_CARRIED.rawValue, STINT_ABANDONED.rawValue, STINT_REPORT.rawValue,
      STINT_WIDE_BATCH.rawValue, STINT_PUBLISHED.rawValue, STINT_WAKE_AT.rawValue,
      STINT_KEYED_FACT.rawValue, STINT_BYTE_BATCH.rawValue,
    ]
    #expect(Self.plugin.map { UInt32($0.1.frame(0).kind) } == answers)
  }
}

extension String {
  /// Returns the text before `part`; the whole text when it does not contain `part`.
  fileprivate func components(before part: String) -> String {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) { return String(self[..<start]) }
      start = index(after: start)
    }
    return self
  }
}
