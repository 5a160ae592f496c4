/// Builds valid and invalid compiled time zone files (TZif).
struct ZoneFile {
  var version = "2"
  /// The transitions: seconds since 1970, and the index of the type from then on.
  var times: [(seconds: Int64, type: UInt8)] = [(1_774_746_000, 1), (1_792_890_000, 0)]
  /// The UTC offset of each type, in seconds.
  var types: [Int32] = [3600, 7200]
  var leapSeconds = 0
  var rule = "CET-1CEST,M3.5.0,M10.5.0/3"
  /// Wrong counts, by their position in the header, 0 to 5.
  var lies: [Int: UInt32] = [:]

  var bytes: [UInt8] {
    guard version != "\0" else { return part(4) }
    return part(4) + part(8) + Array("\n\(rule)\n".utf8)
  }

  private func part(_ size: Int) -> [UInt8] {
    let counts = [2, 2, leapSeconds, times.count, types.count, 9]
    var bytes = Array("TZif\(version)".utf8) + Array(repeating: 0, count: 15)
    for (place, count) in counts.enumerated() {
      bytes += Self.bytes(UInt64(lies[place] ?? UInt32(count)), 4)
    }
    for time in times { bytes += Self.bytes(UInt64(bitPattern: time.seconds), size) }
    bytes += times.map(\.type)
    for type in types { bytes += Self.bytes(UInt64(bitPattern: Int64(type)), 4) + [0, 0] }
    return bytes + Array(repeating: 7, count: 9 + leapSeconds * (size + 4) + 4)
  }

  private static func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
