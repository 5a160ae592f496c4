import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTracks
import StintUnits

/// Finds built-in scenarios by their names, and all other scenarios by their paths.
enum ScenarioFiles {
  static func find(_ name: String) throws(Problem) -> (Scenario, text: String) {
    if BuiltInScenarios.names.contains(name) {
      return (try BuiltInScenarios.scenario(named: name), BuiltInScenarios.text(named: name))
    }
    guard name.contains("/") || name.hasSuffix(".json") else { throw unknown(name) }
    let bytes = try FileText.read(name)
    return (
      try ScenarioReader.scenario(of: bytes, source: name, requests: .all),
      String(decoding: bytes, as: UTF8.self)
    )
  }

  /// Returns the problem of a name that is neither a built-in scenario nor the path of a file.
  private static func unknown(_ name: String) -> Problem {
    let names = BuiltInScenarios.names.joined(separator: ", ")
    switch Folder.entry(at: name) {
    case .folder:
      return Problem(
        .folder, place: name, cause: "this is a folder; expected a scenario",
        remedy: "name a scenario file in it, or one of: \(names)")
    case .file, .other:
      return Problem(
        .unknownName, place: name, cause: "a scenario file is named by a path that ends in .json",
        remedy: "write ./\(name), or one of: \(names)")
    case .nothing:
      let near = Suggestion.nearest(to: name, in: BuiltInScenarios.names).map { "did you mean \($0)? " } ?? ""
      return Problem(
        .unknownName, place: name, cause: "there is no built-in scenario of this name",
        remedy: "\(near)write one of: \(names), or a scenario file")
    }
  }
}

/// Opens recorded accelerations.
enum MotionFiles {
  static func recording(_ path: String) throws(Problem) -> MotionRecording {
    try MotionRecording(path: path)
  }
}

/// Opens tracks. A track is not kept in memory: each view of the returned world opens and reads the file
/// again.
enum TraceFiles {
  static func world(_ path: String, start: Instant, openSky: Bool) throws(Problem) -> TrackWorld {
    var world = try TrackWorld(start: start, path: path)
    if openSky { world.skyInGaps = .open }
    return world
  }
}
