import StintRuntime
import StintUnits

/// The training tracks, on which parameter sets are compared, and the held-out tracks.
public struct TrackSplit: Hashable, Sendable {
  /// The rule that selects the held-out tracks.
  public enum Rule: Hashable, Sendable {
    /// The second of each group of N tracks, sorted by name. A single track is not held out.
    case every(Int)
    /// Tracks whose file names match this pattern, in which `*` matches any characters.
    case matching(String)
  }

  /// The paths of the training tracks, sorted by name.
  public var training: [String]
  /// The paths of the held-out tracks, sorted by name.
  public var heldOut: [String]

  /// Splits tracks by a rule.
  ///
  /// - Throws: `Problem` when a pattern matches no track or all tracks.
  init(_ tracks: [String], _ rule: Rule, place: String) throws(Problem) {
    training = []
    heldOut = []
    for (offset, track) in tracks.enumerated() {
      let isHeldOut =
        switch rule {
        case .every(let count): tracks.count > 1 && offset % count == 1
        case .matching(let pattern): Self.matches(Self.name(of: track), pattern)
        }
      if isHeldOut { heldOut.append(track) } else { training.append(track) }
    }
    guard case .matching(let pattern) = rule else { return }
    guard !heldOut.isEmpty else {
      throw Problem(
        .content, place: place, cause: "no track's name matches “\(pattern)”",
        remedy: "the tracks are \(tracks.map(Self.name).joined(separator: ", "))")
    }
    guard !training.isEmpty else {
      throw Problem(
        .content, place: place, cause: "“\(pattern)” matches every track",
        remedy: "leave at least one track for the search")
    }
  }

  /// Returns the tracks of a folder, sorted by path.
  static func tracks(in folder: String) throws(Problem) -> [String] {
    var tracks: [String] = []
    for suffix in [".csv", ".gpx", ".nmea"] { tracks += try Folder.files(in: folder, suffix: suffix) }
    guard !tracks.isEmpty else {
      throw Problem(
        .file, place: folder, cause: "no track in this folder",
        remedy: "name a folder with .csv, .gpx or .nmea files")
    }
    return tracks.sorted()
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns whether a name matches a pattern, in which `*` matches any characters or none.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return name == pattern }
    guard name.hasPrefix(first), name.hasSuffix(last), name.count >= first.count + last.count else {
      return false
    }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = Self.start(of: part, in: rest) else { return false }
      rest = rest[found...].dropFirst(part.count)
    }
    return true
  }

  private static func start(of part: Substring, in text: Substring) -> Substring.Index? {
    text.indices.first { text[$0...].hasPrefix(part) }
  }
}
