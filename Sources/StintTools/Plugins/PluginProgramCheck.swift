import StintModel
import StintPluginHost
import StintRuntime
import StintUnits

/// Tests a plugin that runs as a separate program: `stint plugin check`.
public enum PluginProgramCheck {
  /// Runs all checks on each device of a plugin, one after another. Blocks until the checks end: about ten
  /// seconds for a sensor, longer for a radio that stays on after transfers.
  ///
  /// - Parameters:
  ///   - place: the folder of the plugin, or the path of its descriptor.
  ///   - settings: the values of the plugin's settings, each as `KEY=VALUE`.
  ///   - power: a file that a power meter writes during the checks, in the form of `PowerRecording`; nil
  ///     without a power meter. Not used for a plugin with several devices, because the meter measures all of
  ///     them together.
  /// - Returns: the results for each device, in the order of the plugin's manifests.
  /// - Throws: `Problem` when the descriptor is missing, when the manifest or the power recording cannot be
  ///   read, or when a setting is unknown or has an invalid value.
  public static func run(
    _ place: String, settings: [String] = [], power: String? = nil
  ) throws -> [ProgramVerdicts] {
    let plugin = try PluginFolder(place, settings: settings)
    return try plugin.manifests.indices.map { try run(plugin, device: $0, power) }
  }

  private static func run(_ plugin: PluginFolder, device: Int, _ power: String?) throws -> ProgramVerdicts {
    let (program, manifest) = (plugin.program, plugin.manifests[device])
    var verdicts = ProgramVerdicts(device: manifest.device)
    if let rejectionReason = program.rejectionReason() {
      verdicts.fail(.sealed, "\(rejectionReason); run stint plugin seal to accept the change")
      return verdicts
    }
    verdicts.keep(.sealed)
    let loop = try LoopExecutor()
    let bench = try ProgramBench(program, device: device, on: loop)
    let sealed = verdicts
    let trial = Spawner.run(on: loop) { () async -> ProgramVerdicts in
      var trial = ProgramTrial(bench)
      trial.verdicts = sealed
      await trial.run()
      return trial.verdicts
    }
    var found = trial.get()
    guard let power else {
      found.skip(.energy, "no power recording was given")
      return found
    }
    guard plugin.manifests.count == 1 else {
      found.skip(.energy, "the power meter measures all devices of the plugin together")
      return found
    }
    let (checkedStates, mismatch) = try PowerRecording(path: power).judge(
      manifest, bench.events, until: bench.now)
    if checkedStates == 0 { found.skip(.energy, "no state has three readings of the power meter") }
    if let mismatch { found.fail(.energy, mismatch) } else if checkedStates > 0 { found.keep(.energy) }
    return found
  }
}
