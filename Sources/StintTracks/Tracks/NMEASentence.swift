import StintFormats
import StintModel
import StintUnits

/// One sentence with a valid checksum, split into fields.
struct NMEASentence {
  /// The last three letters of the address: `RMC`, `GGA`.
  let kind: String
  private let fields: [ArraySlice<UInt8>]
  private let source: String
  private let place: TextLocation

  /// Common kinds of sentences that the reader does not use. These sentences are skipped before the checksum
  /// test, because some receivers write wrong checksums in them.
  private static let others: Set<String> = [
    "GSA", "GSV", "GLL", "VTG", "ZDA", "GST", "GNS", "GBS", "TXT", "DTM", "HDT", "GRS", "THS", "ROT", "RLM",
    "VLW",
  ]

  /// Reads the sentence of the current line. Returns nil for an empty line, for a line that begins with `#`
  /// or `!`, for a proprietary sentence, and for a kind in `others`.
  static func read(_ lines: LineSource) throws(Problem) -> NMEASentence? {
    let line = lines.line
    func failure(_ code: Problem.Code, _ cause: String, remedy: String) -> Problem {
      Problem(
        lines.isUnfinished ? .truncated : code,
        place: Problem.Place(lines.name, at: TextLocation(line: lines.lineNumber, column: 1)),
        cause: lines.isUnfinished ? "the file ends inside a sentence" : cause,
        remedy: lines.isUnfinished ? "remove the last line, or get the complete file" : remedy)
    }
    guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "!") else { return nil }
    guard first == UInt8(ascii: "$"), line.count >= 6, line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw failure(
        .unexpectedContent, "this is not an NMEA sentence: “\(Excerpt.text(lines.text))”",
        remedy: "write sentences such as $GPRMC,…*5A")
    }
    let star = line.lastIndex(of: UInt8(ascii: "*"))
    let fields = line[(line.startIndex + 1)..<(star ?? line.endIndex)].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let address = String(decoding: fields[0], as: UTF8.self)
    let kind = String(address.suffix(3))
    if address.hasPrefix("P") || others.contains(kind) { return nil }
    guard let star else {
      throw failure(.checksum, "the sentence has no checksum", remedy: "make the receiver write checksums")
    }
    let sum = line[(line.startIndex + 1)..<star].reduce(0, ^)
    let writtenSum = UInt8(String(decoding: line[(star + 1)...], as: UTF8.self), radix: 16)
    guard line.endIndex - star == 3, writtenSum == sum else {
      let digits = String(sum, radix: 16, uppercase: true)
      throw failure(
        .checksum, "the sentence is damaged: its checksum is not \(digits.count < 2 ? "0" : "")\(digits)",
        remedy: "remove the line, or record again")
    }
    return NMEASentence(
      kind: kind, fields: fields, source: lines.name, place: TextLocation(line: lines.lineNumber, column: 1))
  }

  /// Returns the data of an RMC or GGA sentence. Returns nil for other kinds, and for a sentence that has
  /// neither a time nor a fix.
  func epoch() throws(Problem) -> Epoch? {
    switch kind {
    case "RMC": try minimum()
    case "GGA": try fix()
    default: nil
    }
  }

  /// Returns the data of an RMC sentence, the “recommended minimum”.
  private func minimum() throws(Problem) -> Epoch? {
    try require(10)
    let isVoid = text(2) != "A" || text(12) == "N"
    guard var epoch = try epoch(isVoid: isVoid) else { return nil }
    // Without a fix, receivers write invented speeds and dates.
    if isVoid { return epoch }
    epoch.position = try position(at: 3)
    epoch.speed = try number(7, "speed").map { $0 * 1852 / 3600 }
    epoch.day = try day(9)
    return epoch
  }

  /// Returns the data of a GGA sentence.
  private func fix() throws(Problem) -> Epoch? {
    try require(11)
    let isVoid = text(6) == "0" || text(6).isEmpty
    guard var epoch = try epoch(isVoid: isVoid) else { return nil }
    if isVoid { return epoch }
    epoch.position = try position(at: 2)
    epoch.altitude = try number(9, "altitude")
    return epoch
  }

  /// Returns an epoch without a position; nil for a sentence that has neither a time nor a fix.
  private func epoch(isVoid: Bool) throws(Problem) -> Epoch? {
    if text(1).isEmpty {
      if isVoid { return nil }
      throw error(.missing, "time", "a fix has no time", remedy: "remove the line")
    }
    var digits = DigitReader(Array(text(1).utf8))
    guard let hour = digits.number(2), let minute = digits.number(2), let second = digits.number(2),
      hour < 24,
      minute < 60, second <= 60
    else {
      throw error(.value, "time", "“\(text(1))” is not a time of day", remedy: "write it like 132820.60")
    }
    let fraction = digits.consume(".") ? digits.nanoseconds() ?? 0 : 0
    guard digits.isAtEnd else {
      throw error(.value, "time", "“\(text(1))” is not a time of day", remedy: "write it like 132820.60")
    }
    let time = TimeSpan.seconds(Int64(hour * 3600 + minute * 60 + second)) + TimeSpan(nanoseconds: fraction)
    return Epoch(timeOfDay: time, isVoid: isVoid, place: place)
  }

  private func day(_ field: Int) throws(Problem) -> Int? {
    if text(field).isEmpty { return nil }
    var digits = DigitReader(Array(text(field).utf8))
    guard let day = digits.number(2), let month = digits.number(2), let year = digits.number(2),
      digits.isAtEnd,
      (1...12).contains(month), (1...31).contains(day)
    else { throw error(.value, "date", "“\(text(field))” is not a date", remedy: "write it like 180320") }
    // A year has two digits. No receiver wrote sentences before 1980, so 80 to 99 mean 1980 to 1999.
    return CivilCalendar.days(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }

  private func position(at field: Int) throws(Problem) -> Coordinate? {
    let latitude = try degrees(field, "latitude", positive: "N", negative: "S")
    let longitude = try degrees(field + 2, "longitude", positive: "E", negative: "W")
    switch TrackChecks.position(latitude: latitude, longitude: longitude) {
    case .success(let coordinate): return coordinate
    case .failure(let fault):
      throw error(.value, fault.isLatitude ? "latitude" : "longitude", fault.sentence, remedy: fault.remedy)
    }
  }

  /// Returns an angle in degrees from a field in degrees and minutes and a direction, such as `4134.498` and
  /// `N`.
  private func degrees(_ field: Int, _ name: String, positive: String, negative: String) throws(Problem)
    -> Double
  {
    guard let value = try number(field, name), value >= 0 else {
      throw error(.missing, name, "a fix has no \(name)", remedy: "remove the line")
    }
    let side = text(field + 1)
    guard side == positive || side == negative else {
      throw error(.value, name, "“\(side)” is neither \(positive) nor \(negative)", remedy: "remove the line")
    }
    let whole = (value / 100).rounded(.down)
    let minutes = value - whole * 100
    guard minutes < 60 else {
      throw error(.value, name, "\(minutes) minutes of arc are out of range", remedy: "remove the line")
    }
    return (side == negative ? -1 : 1) * (whole + minutes / 60)
  }

  private func text(_ field: Int) -> String {
    fields.indices.contains(field) ? String(decoding: fields[field], as: UTF8.self) : ""
  }

  private func number(_ field: Int, _ name: String) throws(Problem) -> Double? {
    if text(field).isEmpty { return nil }
    if let number = DecimalText.number(fields[field]) { return number }
    throw error(.type, name, "“\(text(field))” is not a number", remedy: "remove the line")
  }

  private func require(_ count: Int) throws(Problem) {
    if fields.count < count {
      throw error(
        .syntax, "", "the \(kind) sentence has \(fields.count - 1) fields instead of \(count - 1) or more",
        remedy: "remove the line")
    }
  }

  private func error(_ code: Problem.Code, _ path: String, _ cause: String, remedy: String) -> Problem {
    Problem(code, place: Problem.Place(source, at: place, part: path), cause: cause, remedy: remedy)
  }
}

/// Reads a track from the NMEA 0183 sentences of a receiver: RMC and GGA of any talker.
///
/// Sentences with the same time of day make one point. The reader skips comments that begin with `#`,
/// sentences of other kinds, and points without a fix. RMC sentences contain the date. Without a date, a time
/// of day that is more than twelve hours before the previous time starts the next day.
struct SentenceReader {
  private let lines: LineSource
  private var checks = TrackChecks()
  private var calendar = EpochCalendar()
  private var epoch: Epoch?
  private var start: TimeSpan?
  /// True after the first sentence that `NMEASentence.read` has returned.
  private var hasSentences = false

  init(_ lines: LineSource) { self.lines = lines }

  /// Returns the next point; nil at the end.
  mutating func next() throws(Problem) -> TrackPoint? {
    while try lines.advance() {
      guard let sentence = try NMEASentence.read(lines) else { continue }
      hasSentences = true
      guard let part = try sentence.epoch() else { continue }
      if epoch?.timeOfDay == part.timeOfDay {
        epoch?.merge(part)
        continue
      }
      let finished = epoch
      epoch = part
      if let finished, let point = try point(of: finished) { return point }
    }
    if !hasSentences {
      throw Problem(
        .empty, place: lines.name, cause: "the file contains no RMC or GGA sentence",
        remedy: "check that this is the log of a receiver")
    }
    guard let finished = epoch else { return nil }
    epoch = nil
    return try point(of: finished)
  }

  /// Returns the point of an epoch; nil when the epoch has no fix.
  private mutating func point(of epoch: Epoch) throws(Problem) -> TrackPoint? {
    let time = calendar.time(of: epoch)
    guard !epoch.isVoid, let position = epoch.position else { return nil }
    if let rejectionReason = checks.rejectionReason(for: time) {
      throw Problem(
        .order, place: Problem.Place(lines.name, at: epoch.place, part: "time"), cause: rejectionReason,
        remedy: "split the log at the line where the time decreases")
    }
    let first = start ?? time
    start = first
    return TrackPoint(
      time: time - first, position: position, altitude: epoch.altitude, speed: epoch.speed)
  }
}
