public import StintFormats
import StintModel
public import StintUnits

extension TrackWorld {
  /// Follows a recorded track: CSV, GPX or NMEA.
  ///
  /// A file is read through once and opened again by each view, so its length costs no memory. Standard input
  /// (`-`) cannot be opened twice; its points are kept.
  ///
  /// - Throws: what is wrong with the track, with its place, or that there is no point in it.
  public init(start: Instant, path: String) throws(FormatError) {
    if path == "-" {
      try self.init(start: start, points: Self.points(path: path), name: "standard input")
      return
    }
    try self.init(start: start, name: path) { () throws(FormatError) -> Points in
      var reader = try TrackReader(path: path)
      return { () throws(FormatError) -> TrackPoint? in try reader.next() }
    }
  }

  private static func points(path: String) throws(FormatError) -> [TrackPoint] {
    var reader = try TrackReader(path: path)
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return points
  }
}
