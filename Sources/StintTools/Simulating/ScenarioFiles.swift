import StintFormats
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTracks
import StintUnits

/// Finds scenarios: built-in ones by name, all others by path.
enum ScenarioFiles {
  /// Returns a scenario and its JSON text.
  static func find(_ name: String) throws(Problem) -> (Scenario, text: String) {
    if BuiltInScenarios.names.contains(name) {
      return (try BuiltInScenarios.scenario(named: name), BuiltInScenarios.text(named: name))
    }
    guard name.contains("/") || name.hasSuffix(".json") else {
      // No built-in scenario has this name, so this call throws an error that lists the built-in scenarios.
      return (try BuiltInScenarios.scenario(named: name), "")
    }
    let bytes = try FileText.read(name)
    return (
      try ScenarioReader.scenario(of: bytes, source: name, requests: .inFiles),
      String(decoding: bytes, as: UTF8.self)
    )
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
