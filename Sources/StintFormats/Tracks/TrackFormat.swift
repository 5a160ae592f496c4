/// A form in which tracks are written.
public enum TrackFormat: String, Hashable, Sendable, CaseIterable {
  /// A table with a line of names: `t_s,lat,lon,…`.
  case csv
  /// GPX, versions 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences of a receiver.
  case nmea

  /// The form that a file's name tells, if any.
  init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
  }

  /// The form that the first bytes of a file look like; nil when they look like none.
  init?(content: some Collection<UInt8>) {
    let text = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content.dropFirst(0)
    let lines = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).lazy.map { line in
      line.drop { $0 == 0x20 || $0 == 0x09 }
    }
    let line = lines.first { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
    switch line?.first {
    case UInt8(ascii: "<"): self = .gpx
    case UInt8(ascii: "$"), UInt8(ascii: "!"): self = .nmea
    case nil: self = .nmea
    default:
      guard let line, line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }),
        line.contains(where: { ",;\t".utf8.contains($0) })
      else { return nil }
      self = .csv
    }
  }
}
