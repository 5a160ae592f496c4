extension TimeZoneRules: CustomStringConvertible {
  /// The rules that a text of POSIX names, such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0530>-5:30`.
  ///
  /// Summer time needs its rule written out; names of places (`Europe/Berlin`) are not known here.
  public init(_ text: String) throws(TimeZoneFault) {
    var reader = TimeZoneText(text)
    self = try reader.rules()
  }

  /// The rules as POSIX writes them, with offsets for names: `<+01>-1<+02>-2,M3.5.0/2,M10.5.0/3`.
  ///
  /// Reading it gives equal rules; nil where transitions are listed, for which there is no such text, and
  /// where offsets are no whole seconds.
  public var rule: String? {
    let offsets = [baseOffset] + (summer.map { [$0.offset] } ?? [])
    guard transitions.isEmpty, offsets.allSatisfy({ $0.nanoseconds % 1_000_000_000 == 0 }) else { return nil }
    var text = Self.zone(baseOffset)
    if let summer {
      text += Self.zone(summer.offset)
      for change in [summer.begin, summer.end] {
        text += "," + change.day.text + "/" + Self.time(change.time)
      }
    }
    return text
  }

  /// The rule, or how many transitions are listed.
  public var description: String {
    rule ?? "\(baseOffset) ahead of UTC, then \(transitions.count) transitions"
  }

  private static func zone(_ offset: TimeSpan) -> String {
    let seconds = offset.nanoseconds / 1_000_000_000
    let size = abs(seconds)
    let name = [size / 3600, size / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let digits = name[1] == "00" ? name[0] : name.joined()
    return "<" + (seconds < 0 ? "-" : "+") + digits + ">" + time(-seconds)
  }

  private static func time(_ seconds: Int64) -> String {
    let size = abs(seconds)
    var text = (seconds < 0 ? "-" : "") + "\(size / 3600)"
    guard size % 3600 != 0 else { return text }
    text += ":\(size / 60 % 60)"
    return size % 60 == 0 ? text : text + ":\(size % 60)"
  }
}
