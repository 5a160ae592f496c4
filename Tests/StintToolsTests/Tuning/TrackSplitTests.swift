import StintUnits
import Testing

@testable import StintTools

@Suite("Choice of the held-out tracks")
struct TrackSplitTests {
  private let tracks = ["t/a.csv", "t/b.csv", "t/bb.gpx", "t/c.csv", "t/d.nmea"]

  private func heldOut(_ rule: TrackSplit.Rule, of tracks: [String]? = nil) throws -> [String] {
    let split = try TrackSplit(tracks ?? self.tracks, rule, place: "t")
    #expect((split.training + split.heldOut).sorted() == (tracks ?? self.tracks))
    return split.heldOut.map(TrackSplit.name)
  }

  @Test("the second track of each group is held out, and a group of one track has no held-out track")
  func every() throws {
    #expect(try heldOut(.every(2)) == ["b.csv", "c.csv"])
    #expect(try heldOut(.every(3)) == ["b.csv", "d.nmea"])
    #expect(try heldOut(.every(9)) == ["b.csv"])
    #expect(try heldOut(.every(2), of: ["t/a.csv"]).isEmpty)
  }

  @Test("tracks with matching names are held out")
  func matching() throws {
    #expect(try heldOut(.matching("b*")) == ["b.csv", "bb.gpx"])
    #expect(try heldOut(.matching("c.csv")) == ["c.csv"])
  }

  @Test("a pattern that matches no track or all tracks is refused with the existing names")
  func refusals() {
    #expect(throws: Problem.self) { try TrackSplit(tracks, .matching("*"), place: "t") }
    do throws(Problem) {
      _ = try TrackSplit(tracks, .matching("x*"), place: "t")
      Issue.record("nothing matches")
    } catch {
      #expect(
        error.description
          == "t: no track's name matches “x*”; the tracks are a.csv, b.csv, bb.gpx, c.csv, d.nmea")
    }
  }

  @Test(
    "a star matches any number of characters, including zero",
    arguments: [
      ("abc", "abc", true), ("abc", "ab", false), ("abc", "*", true), ("abc", "a*", true),
      ("abc", "*c", true),
      ("abc", "a*c", true), ("abc", "*b*", true), ("abc", "ab*bc", false), ("abc", "a*b*c", true),
      ("abcbc", "a*bc", true), ("aXbXc", "a*X*X*c", true), ("aXc", "a*X*X*c", false), ("", "*", true),
      ("", "", true), ("a", "", false), ("a", "**", true),
    ])
  func patterns(name: String, pattern: String, expected: Bool) {
    #expect(TrackSplit.matches(name, pattern) == expected)
  }
}
