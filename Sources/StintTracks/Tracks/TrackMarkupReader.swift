import StintFormats
import StintModel
import StintUnits

/// Reads a track from GPX 1.0 or 1.1: every `trkpt` with its time, in file order.
///
/// Elevation, speed (also from extensions) and the type of the track are read when they are present.
struct TrackMarkupReader {
  private let scanner: MarkupScanner
  private var checks = TrackChecks()
  private var start: Instant?
  private var label: String?
  private var hasRoot = false

  init(_ source: ByteSource) { scanner = MarkupScanner(source) }

  /// The parts of a point that have been read.
  private struct Draft {
    var place: TextLocation
    var position: Coordinate
    var time: Instant?
    var altitude: Double?
    var speed: Double?
  }

  /// Returns the next point; nil at the end.
  mutating func next() throws(Problem) -> TrackPoint? {
    while let event = try scanner.next() {
      switch event {
      case .opened(let name):
        if !hasRoot { try checkRoot(name) }
        if name == "trk" { label = nil }
        if name == "trkpt" { return try point() }
      case .closed("type") where scanner.open.last?.name == "trk":
        label = scanner.text.isEmpty ? nil : scanner.text
      case .closed: break
      }
    }
    if !hasRoot {
      throw Problem(
        .empty, place: scanner.source.name, cause: "the file has no content",
        remedy: "check that this is the file you mean")
    }
    return nil
  }

  private mutating func checkRoot(_ name: String) throws(Problem) {
    guard name == "gpx" else {
      throw scanner.error(
        .unexpectedContent, "this is not GPX: the root element is <\(Excerpt.text(name))>", at: scanner.place,
        remedy: "export the track as GPX")
    }
    hasRoot = true
  }

  /// Reads the rest of a `trkpt` after its opening tag, and returns its point.
  private mutating func point() throws(Problem) -> TrackPoint {
    var draft = Draft(place: scanner.place, position: try position())
    while let event = try scanner.next() {
      guard case .closed(let name) = event else { continue }
      let isDirect = scanner.open.last?.name == "trkpt"
      switch name {
      case "trkpt": return try finish(draft)
      case "time" where isDirect: draft.time = try time()
      case "ele" where isDirect: draft.altitude = try number("ele")
      case "speed": draft.speed = try number("speed")
      default: break
      }
    }
    return try finish(draft)
  }

  private mutating func finish(_ draft: Draft) throws(Problem) -> TrackPoint {
    guard let moment = draft.time else {
      throw scanner.error(
        .missing, "the point has no time", at: draft.place, path: "time",
        remedy: "export the recorded track; a planned route has no times")
    }
    let first = start ?? moment
    start = first
    let time = moment - first
    if let rejectionReason = time < .zero
      ? "the time is before that of the first point" : checks.rejectionReason(for: time)
    {
      throw scanner.error(
        .order, rejectionReason, at: draft.place, path: "time", remedy: "sort the points by time")
    }
    return TrackPoint(
      time: time, position: draft.position, altitude: draft.altitude, speed: draft.speed, label: label)
  }

  private func position() throws(Problem) -> Coordinate {
    let latitude = try coordinate("lat")
    let longitude = try coordinate("lon")
    switch TrackChecks.position(latitude: latitude, longitude: longitude) {
    case .success(let coordinate): return coordinate
    case .failure(let fault):
      throw scanner.error(
        .value, fault.sentence, at: scanner.place, path: fault.isLatitude ? "lat" : "lon",
        remedy: fault.remedy)
    }
  }

  private func coordinate(_ name: String) throws(Problem) -> Double {
    guard let text = scanner.attribute(name) else {
      throw scanner.error(
        .missing, "the point has no attribute “\(name)”", at: scanner.place, path: name,
        remedy: "write points such as <trkpt lat=\"47.05\" lon=\"8.31\">")
    }
    return try number(text, name)
  }

  private func number(_ name: String) throws(Problem) -> Double? {
    scanner.text.isEmpty ? nil : try number(scanner.text, name)
  }

  private func number(_ text: String, _ name: String) throws(Problem) -> Double {
    if let number = DecimalText.number(Array(text.utf8)[...]) { return number }
    throw scanner.error(
      .type, "“\(Excerpt.text(text))” is not a number", at: scanner.place, path: name,
      remedy: "write it like 47.05")
  }

  private func time() throws(Problem) -> Instant {
    if let time = CalendarTime.parse(scanner.text) { return time.instant }
    throw scanner.error(
      .value, "“\(Excerpt.text(scanner.text))” is not a time in ISO 8601 format", at: scanner.place,
      path: "time",
      remedy: "write it like 2026-05-16T06:00:00Z")
  }
}
