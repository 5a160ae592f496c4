import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@testable import StintLab

@Suite struct MotionConfusionTests {
  private static let recordings = Repository.path("../shared/data/traces/motion")

  @Test("each half second of a recording counts for its label; other files are ignored")
  func counts() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("recordings")
    try Folder.make(folder)
    var text = "t_s,ax,ay,az,label\n"
    for place in 0..<500 {
      let strength = 4 * sine(degrees: Double(place * 13 % 360))
      text += "\(Double(place) / 50),0,\(place < 250 ? 0 : strength),9.8,\(place < 250 ? "still" : "walk")\n"
    }
    try FileText.write(Array(text.utf8), to: folder + "/a.csv")
    try FileText.write([], to: folder + "/notes.txt")
    let confusion = try MotionConfusion(folder: folder)
    #expect(confusion.recordings.map(\.path) == [folder + "/a.csv"])
    // The first window is full at 2.98 s.
    #expect(confusion.labels["still"]?.activities == [.still: 5])
    #expect(confusion.labels["walk"]?.total == 10)
    #expect((confusion.labels["walk"]?.activities[.walking] ?? 0) >= 5)
    let lines = confusion.text().split(separator: "\n")
    #expect(lines[1].hasPrefix("a.csv, still") && lines.last?.hasPrefix("all, walk") == true)
  }

  @Test("a folder without tables is an error")
  func empty() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("recordings")
    try Folder.make(folder)
    #expect(throws: Problem.self) { try MotionConfusion(folder: folder) }
  }

  @Test(
    "at least 95 % of the windows of each recorded walk are walking; a phone in the hand is in no vehicle",
    .enabled(if: Folder.entry(at: recordings) == .folder, "the recordings are not part of the repository"))
  func recordedWalks() throws {
    for (path, labels) in try MotionConfusion(folder: Self.recordings).recordings {
      if path.hasSuffix("imu9_handheld_100hz.csv") {
        #expect(labels[""]?.activities[.automotive] == nil)
        continue
      }
      let counts = try #require(labels["walk"] ?? labels[""], "\(path)")
      #expect((counts.activities[.walking] ?? 0) * 100 >= counts.total * 95, "\(path): \(counts)")
    }
  }
}
