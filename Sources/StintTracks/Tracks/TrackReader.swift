import StintFormats
public import StintModel
public import StintUnits

/// Reads a track point by point from CSV, GPX or NMEA, in constant memory.
///
/// The times of the returned points never decrease, and their positions are valid. Invalid input causes an
/// error with the file and, if possible, the line and the column.
public struct TrackReader {
  // Exactly one of the three readers is set. They are separate variables, so that each can be mutated in
  // place.
  private var table: TrackTableReader?
  private var markup: TrackMarkupReader?
  private var sentences: SentenceReader?
  /// The format of the track.
  public let format: TrackFormat

  /// Opens a track; `-` is standard input. The extension of the name determines the format. Without a known
  /// extension, the first bytes determine it.
  public init(path: String) throws(Problem) {
    try self.init(ByteSource(path: path), format: TrackFormat(fileName: path))
  }

  /// Reads a track in memory. `name` is the name of the track in errors; its extension determines the format.
  public init(bytes: [UInt8], name: String) throws(Problem) {
    try self.init(ByteSource(bytes: bytes, name: name), format: TrackFormat(fileName: name))
  }

  init(_ source: ByteSource, format nameFormat: TrackFormat?) throws(Problem) {
    let start = try source.peek(4096)
    if start.isEmpty {
      throw Problem(
        .empty, place: source.name, cause: "the file has no content",
        remedy: "check that this is the file you mean")
    }
    if start.contains(0) {
      throw Problem(
        .unexpectedContent, place: source.name,
        cause: "this is not a text file: it contains bytes of value 0",
        remedy: "name a file with a track as CSV, GPX or NMEA in UTF-8")
    }
    guard let format = nameFormat ?? TrackFormat(content: start) else {
      throw Problem(
        .unexpectedContent, place: source.name, cause: "this is not CSV, GPX or NMEA",
        remedy: "give a track in one of these formats")
    }
    self.format = format
    switch format {
    case .csv: table = try TrackTableReader(LineSource(source))
    case .gpx: markup = TrackMarkupReader(source)
    case .nmea: sentences = SentenceReader(LineSource(source))
    }
  }

  /// Returns the next point; nil at the end.
  public mutating func next() throws(Problem) -> TrackPoint? {
    switch format {
    case .csv: try table?.next()
    case .gpx: try markup?.next()
    case .nmea: try sentences?.next()
    }
  }
}

/// A file format of tracks.
public enum TrackFormat: String, Hashable, Sendable, CaseIterable {
  /// A table with a line of column names: `t_s,lat,lon,…`.
  case csv
  /// GPX, versions 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences of a receiver.
  case nmea

  /// Returns the format of a file name's extension; nil when the extension is unknown.
  init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
  }

  /// Returns the format of a file that begins with these bytes; nil when no format matches.
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

/// Reads a track from a table with the columns `t_s,lat,lon` and, optionally,
/// `alt_m,speed_mps,accuracy_m,label`.
struct TrackTableReader {
  private enum Column: Int {
    case time, latitude, longitude, altitude, speed, accuracy, label
  }

  private static let columns = [
    TableColumn(name: "t_s", isRequired: true), TableColumn(name: "lat", isRequired: true),
    TableColumn(name: "lon", isRequired: true), TableColumn(name: "alt_m"), TableColumn(name: "speed_mps"),
    TableColumn(name: "accuracy_m"), TableColumn(name: "label"),
  ]

  private var table: TableReader
  private var checks = TrackChecks()
  /// The last label, kept because most rows repeat it.
  private var label: String?

  init(_ lines: LineSource) throws(Problem) { table = try TableReader(lines, columns: Self.columns) }

  /// Returns the next point; nil at the end.
  mutating func next() throws(Problem) -> TrackPoint? {
    guard try table.advance() else { return nil }
    let time = try table.time(Column.time.rawValue)
    if let rejectionReason = checks.rejectionReason(for: time) {
      throw table.error(
        .order, rejectionReason, column: Column.time.rawValue, remedy: "sort the rows by time")
    }
    let latitude = try table.requiredNumber(Column.latitude.rawValue)
    let longitude = try table.requiredNumber(Column.longitude.rawValue)
    let position: Coordinate
    switch TrackChecks.position(latitude: latitude, longitude: longitude) {
    case .success(let coordinate): position = coordinate
    case .failure(let fault):
      let column = fault.isLatitude ? Column.latitude : .longitude
      throw table.error(.value, fault.sentence, column: column.rawValue, remedy: fault.remedy)
    }
    if let label, !table.fieldEquals(label, Column.label.rawValue) { self.label = nil }
    if label == nil { label = table.text(Column.label.rawValue) }
    return TrackPoint(
      time: time, position: position, altitude: try table.number(Column.altitude.rawValue),
      speed: try table.amount(Column.speed.rawValue), accuracy: try table.amount(Column.accuracy.rawValue),
      label: label)
  }
}

/// The checks that all readers of tracks share: valid coordinates and non-decreasing times.
struct TrackChecks {
  private var last: TimeSpan?

  /// Returns the coordinate, or the fault of the number that is out of range.
  static func position(latitude: Double, longitude: Double) -> Result<Coordinate, PositionFault> {
    if let coordinate = Coordinate(latitude: latitude, longitude: longitude) { return .success(coordinate) }
    if !latitude.isFinite || abs(latitude) > 90 {
      return .failure(PositionFault(isLatitude: true, sentence: "latitude \(latitude) is out of range"))
    }
    return .failure(PositionFault(isLatitude: false, sentence: "longitude \(longitude) is out of range"))
  }

  /// Checks and stores the time of the next point. Returns the reason to reject the point; nil when the time
  /// is valid.
  mutating func rejectionReason(for time: TimeSpan) -> String? {
    if let last, time < last { return "the time decreases by \(last - time)" }
    last = time
    return nil
  }
}

/// The invalid number of a position: latitude or longitude, with a message.
struct PositionFault: Error {
  let isLatitude: Bool
  let sentence: String

  /// The next step for the user.
  var remedy: String {
    isLatitude ? "write a latitude from -90 to 90" : "write a longitude from -180 to 180"
  }
}

/// The combined data of the NMEA sentences with the same time of day.
struct Epoch {
  /// The time since midnight, UTC.
  var timeOfDay: TimeSpan
  /// Days since 1970-01-01; nil when no sentence contains the date.
  var day: Int?
  var position: Coordinate?
  /// The altitude in metres.
  var altitude: Double?
  /// The speed in metres per second.
  var speed: Double?
  /// True when a sentence reports that there is no fix.
  var isVoid = false
  /// The location of the first sentence.
  var place: TextLocation

  /// Adds the data of another sentence with the same time of day.
  mutating func merge(_ other: Epoch) {
    day = day ?? other.day
    position = position ?? other.position
    altitude = altitude ?? other.altitude
    speed = speed ?? other.speed
    isVoid = isVoid || other.isVoid
  }
}

/// Converts epochs to times on one time line, although most sentences contain only the time of day.
struct EpochCalendar {
  /// The day of the last epoch, relative to the first epoch.
  private var day = 0
  private var last: TimeSpan?
  /// The date of day 0 in days since 1970-01-01; nil until a sentence contains a date.
  private var base: Int?

  /// Returns the time since midnight of the first day.
  mutating func time(of epoch: Epoch) -> TimeSpan {
    if let date = epoch.day, let base {
      day = date - base
    } else if let last, epoch.timeOfDay < last - .hours(12) {
      day += 1
    }
    if base == nil, let date = epoch.day { base = date - day }
    last = epoch.timeOfDay
    return .hours(Int64(day) * 24) + epoch.timeOfDay
  }
}
