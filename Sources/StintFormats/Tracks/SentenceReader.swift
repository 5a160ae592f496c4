import StintModel
import StintUnits

/// Reads a track from the NMEA 0183 sentences of a receiver: RMC and GGA, whatever the talker.
///
/// Sentences of one epoch make one point. Passed over: comments that begin with `#`, other sentences,
/// epochs without a fix. The day comes from RMC; where there is none, a clock that falls back by more than
/// twelve hours has passed midnight.
struct SentenceReader {
  private let lines: LineSource
  private var assembly = TrackAssembly()
  private var calendar = EpochCalendar()
  private var epoch: Epoch?
  private var start: TimeSpan?
  /// Whether anything in the file was a sentence.
  private var hasSentences = false

  init(_ lines: LineSource) { self.lines = lines }

  /// The next point; nil at the end.
  mutating func next() throws(FormatError) -> TrackPoint? {
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
      throw FormatError(
        .empty, source: lines.name, cause: "there is no NMEA sentence in it",
        step: "check that this is a receiver's log")
    }
    guard let finished = epoch else { return nil }
    epoch = nil
    return try point(of: finished)
  }

  /// The point of an epoch; nil where it has no fix.
  private mutating func point(of epoch: Epoch) throws(FormatError) -> TrackPoint? {
    let time = calendar.time(of: epoch)
    guard !epoch.isVoid, let position = epoch.position else { return nil }
    if let objection = assembly.objection(to: time) {
      throw FormatError(
        .order, source: lines.name, place: epoch.place, path: "time", cause: objection,
        step: "cut the log where the receiver was set back")
    }
    let first = start ?? time
    start = first
    return TrackPoint(
      time: time - first, position: position, altitude: epoch.altitude, speed: epoch.speed)
  }
}
