import StintFormats
import StintModel
import StintRuntime
import StintSimulation
import StintUnits

/// Finds scenarios: the built-in ones by name, others by path.
enum ScenarioFiles {
  /// The scenario and its JSON text.
  static func find(_ name: String) throws(ToolError) -> (Scenario, text: String) {
    do throws(FormatErrors) {
      if BuiltInScenarios.names.contains(name) {
        return (try BuiltInScenarios.scenario(named: name), BuiltInScenarios.text(named: name))
      }
      guard name.contains("/") || name.hasSuffix(".json") else {
        // The error names the scenarios that there are.
        return (try BuiltInScenarios.scenario(named: name), "")
      }
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try FileText.read(name)
      } catch {
        throw FormatErrors(FormatError(.notFound, source: name, cause: error.cause, step: error.nextStep))
      }
      return (try ScenarioReader.scenario(of: bytes, source: name), String(decoding: bytes, as: UTF8.self))
    } catch {
      throw ToolError(error)
    }
  }
}

/// Opens recorded accelerations.
enum MotionFiles {
  static func recording(_ path: String) throws(ToolError) -> MotionRecording {
    do throws(FormatError) { return try MotionRecording(path: path) } catch {
      throw ToolError(FormatErrors(error))
    }
  }
}

/// Opens tracks, again and again for each device; standard input is kept in a file meanwhile.
enum TraceFiles {
  static func world(_ path: String, start: Instant, openSky: Bool) throws(ToolError) -> TrackWorld {
    do throws(FormatError) {
      var world = try TrackWorld(start: start) { () throws(FormatError) -> TrackWorld.Points in
        var reader = try TrackReader(path: path)
        return { () throws(FormatError) -> TrackPoint? in try reader.next() }
      }
      if openSky { world.skyInGaps = .open }
      return world
    } catch {
      throw ToolError(FormatErrors(error))
    }
  }
}
