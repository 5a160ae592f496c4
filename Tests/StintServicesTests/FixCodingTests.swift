import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

/// The form in which an app or a saved state keeps a fix.
@Suite("The coding of a fix") struct FixCodingTests {
  private static let plain = Fix(
    instant: .epoch + .seconds(5), coordinate: Coordinate(latitude: 47.05, longitude: 8.31)!, accuracy: 4,
    device: "location.gnss", sequence: 7)

  private static func decoded(_ text: String) throws -> Fix {
    try JSONCoding.decode(Fix.self, from: Array(text.utf8), file: "fix")
  }

  @Test("a decoded fix equals the encoded fix, with its speed and its flags")
  func equal() throws {
    var fix = Self.plain
    fix.speed = 1.4
    for flag in [\Fix.isCached, \.isStale, \.isPoor] {
      var flagged = fix
      flagged[keyPath: flag] = true
      #expect(try Self.decoded(JSONCoding.line(of: flagged)) == flagged)
    }
    #expect(try Self.decoded(JSONCoding.line(of: fix)) == fix)
  }

  @Test("a fix without speed and flags is encoded as in earlier versions")
  func former() throws {
    let text = try JSONCoding.line(of: Self.plain)
    #expect(try Self.decoded(text) == Self.plain)
    for key in ["speed", "cached", "stale", "poor"] { #expect(!text.contains(key), "\(text)") }
  }
}
