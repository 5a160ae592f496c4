import StintUnits
import Testing

@testable import StintIIO

@Suite("iio: the layout of scans")
struct IIOScanTests {
  @Test(
    "the type of a scan element determines the position of its bits",
    arguments: [
      ("le:s16/16>>0", [0x34, 0x12], 0x1234),
      ("be:s16/16>>0", [0x12, 0x34], 0x1234),
      ("le:s16/16", [0xFF, 0xFF], -1),
      ("le:s12/16>>4", [0xF0, 0x7F], 0x7FF),
      ("le:s12/16>>4", [0x0F, 0x80], -2048),
      ("be:s12/16>>4", [0x80, 0x0F], -2048),
      ("be:u12/16>>4", [0x80, 0x0F], 2048),
      ("le:u12/16>>0", [0xFF, 0xFF], 4095),
      ("le:s16/32>>0", [0xFE, 0xFF, 0x55, 0x55], -2),
      ("be:s24/32>>8", [0xFF, 0xFF, 0xFE, 0x77], -2),
      ("le:s64/64>>0", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], Int64.max),
      ("le:u8/8>>0", [0x80], 128),
      ("le:s8/8>>0", [0x80], -128),
    ] as [(String, [UInt8], Int64)])
  func values(text: String, bytes: [UInt8], value: Int64) throws {
    let type = try IIOScanType(text)
    #expect(type.size == bytes.count)
    #expect(type.value(in: bytes) == value)
  }

  @Test(
    "an invalid type is rejected",
    arguments: [
      "", "le", "xe:s16/16>>0", "le:f32/32>>0", "le:s16", "le:s16/", "le:s/16>>0", "le:s17/16>>0",
      "le:s0/16>>0",
      "le:s16/24>>0", "le:s12/16>>5", "le:s16/16>>-1", "le:s16/16X4>>0", "le:s16/16>>0 ", "le:s9999/16>>0",
      "le:s16/16>>", "le:s٣/16>>0",
    ])
  func malformed(text: String) {
    #expect(throws: IIOFault.self) { try IIOScanType(text) }
  }

  private func element(_ name: String, _ index: Int, _ type: String) throws -> IIOScanElement {
    IIOScanElement(name: name, index: index, type: try IIOScanType(type))
  }

  @Test("three axes of four bytes and the timestamp make a scan of 24 bytes, with the timestamp at offset 16")
  func hubLayout() throws {
    let layout = try IIOScanLayout(
      [
        element("in_timestamp", 3, "le:s64/64>>0"), element("in_accel_z", 2, "le:s16/32>>0"),
        element("in_accel_x", 0, "le:s16/32>>0"), element("in_accel_y", 1, "le:s16/32>>0"),
      ], axes: ["in_accel_x", "in_accel_y", "in_accel_z"])
    #expect(layout.size == 24)
    var bytes = [UInt8](repeating: 0xAA, count: 24)
    bytes.replaceSubrange(0..<2, with: [1, 0])
    bytes.replaceSubrange(4..<6, with: [2, 0])
    bytes.replaceSubrange(8..<10, with: [0xFD, 0xFF])
    bytes.replaceSubrange(16..<24, with: [9, 0, 0, 0, 0, 0, 0, 0])
    #expect(layout.scan(bytes[...]) == IIOScanLayout.Scan(axes: [1, 2, -3], timestamp: 9))
  }

  @Test("elements are ordered by index, not by name, and unrequested elements are skipped")
  func order() throws {
    let layout = try IIOScanLayout(
      [
        element("in_accel_x", 2, "be:s16/16>>0"), element("in_accel_y", 1, "le:s16/16>>0"),
        element("in_temp", 0, "le:s8/8>>0"), element("in_accel_z", 3, "le:s16/16>>0"),
      ], axes: ["in_accel_x", "in_accel_y", "in_accel_z"])
    #expect(layout.size == 8)
    #expect(layout.scan([0x7F, 0, 2, 0, 0, 1, 3, 0][...]).axes == [1, 2, 3])
    #expect(layout.scan([0x7F, 0, 2, 0, 0, 1, 3, 0][...]).timestamp == nil)
  }

  @Test("a missing axis and a duplicate axis are rejected")
  func missing() throws {
    let x = try element("in_accel_x", 0, "le:s16/16>>0")
    #expect(throws: IIOFault("in_accel_y is not in the scans")) {
      try IIOScanLayout([x], axes: ["in_accel_x", "in_accel_y"])
    }
    #expect(throws: IIOFault("in_accel_x is in a scan twice")) {
      try IIOScanLayout([x, x], axes: ["in_accel_x"])
    }
  }

  private let now = Instant(nanoseconds: 100_000_000_000)

  private func instants(_ stamps: [Int64?]) -> [Int64] {
    let scans = stamps.map { IIOScanLayout.Scan(axes: [0, 0, 0], timestamp: $0) }
    return IIOTimes.instants(of: scans, period: .milliseconds(10), at: now)
      .map { (now - $0).nanoseconds / 1_000_000 }
  }

  @Test("the ages of scans come from the device's timestamps, whichever clock the device uses")
  func times() {
    #expect(instants([5_000_000, 14_000_000, 25_000_000]) == [20, 11, 0])
    #expect(instants([Int64.min, Int64.min + 9_000_000]) == [9, 0])
  }

  @Test("missing timestamps, and those that repeat, decrease or jump, are ignored")
  func badTimes() {
    for stamps in [[7, 7, 7], [3, 2, 1], [0, 1, Int64.max], [nil, nil, nil], [1, nil, 3]] as [[Int64?]] {
      #expect(instants(stamps) == [20, 10, 0])
    }
    #expect(instants([]).isEmpty)
  }
}
