public import StintModel
import StintUnits

/// Reads a track point by point from CSV, GPX or NMEA; memory stays flat, whatever its length.
///
/// Times never fall, positions exist; anything else ends the reading with an error that names file, line
/// and column.
public struct TrackReader {
  // One of the three is there; kept apart so that each is changed in place.
  private var table: TrackTableReader?
  private var markup: TrackMarkupReader?
  private var sentences: SentenceReader?
  /// The form that the track is written in.
  public let format: TrackFormat

  /// Opens a track; `-` is standard input. The name's extension gives the format, else the first bytes do.
  public init(path: String) throws(FormatError) {
    try self.init(ByteSource(path: path), format: TrackFormat(fileName: path))
  }

  /// Reads a track in memory; `name` is what errors call it, and tells the form as a file's name does.
  public init(bytes: [UInt8], name: String) throws(FormatError) {
    try self.init(ByteSource(bytes: bytes, name: name), format: TrackFormat(fileName: name))
  }

  init(_ source: ByteSource, format told: TrackFormat?) throws(FormatError) {
    let start = try source.peek(4096)
    if start.isEmpty {
      throw FormatError(
        .empty, source: source.name, cause: "there is nothing in it",
        step: "check that this is the file you mean")
    }
    if start.contains(0) {
      throw FormatError(
        .foreign, source: source.name, cause: "this is no text: it holds bytes of value 0",
        step: "give a track as CSV, GPX or NMEA in UTF-8")
    }
    guard let format = told ?? TrackFormat(content: start) else {
      throw FormatError(
        .foreign, source: source.name, cause: "this is neither CSV nor GPX nor NMEA",
        step: "give a track in one of these forms")
    }
    self.format = format
    switch format {
    case .csv: table = try TrackTableReader(LineSource(source))
    case .gpx: markup = TrackMarkupReader(source)
    case .nmea: sentences = SentenceReader(LineSource(source))
    }
  }

  /// The next point; nil at the end.
  public mutating func next() throws(FormatError) -> TrackPoint? {
    switch format {
    case .csv: try table?.next()
    case .gpx: try markup?.next()
    case .nmea: try sentences?.next()
    }
  }
}
