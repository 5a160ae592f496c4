import StintDaemon
import StintModel
import StintPluginHost
import StintRuntime
import StintUnits

/// Tests a plugin that runs as a separate program: `stint plugin check`.
public enum PluginProgramCheck {
  /// Runs all checks on the plugin in a folder, or on the plugin with this descriptor. Blocks for about ten
  /// seconds.
  ///
  /// - Parameter power: a file that a power meter writes during the checks, in the form of `PowerRecording`;
  ///   nil without a power meter.
  /// - Throws: `Problem` when the descriptor is missing or the manifest cannot be read.
  public static func run(_ place: String, power: String? = nil) throws -> ProgramVerdicts {
    let path = Folder.entry(at: place) == .folder ? FilePath.join(place, "plugin.json") : place
    guard Folder.entry(at: path) == .file else {
      throw Problem(
        .file, place: path, cause: "no plugin descriptor here",
        remedy: "name the folder that holds its plugin.json")
    }
    let absolute = Folder.absolute(path) ?? path
    let processes = ChildPrograms(site: absolute)
    guard processes.form(absolute) != nil else { throw Problem(all: processes.problems) }
    var plugin = Site.Plugin(name: "")
    plugin.descriptor = absolute
    // The trial grants the program every permission that it requests.
    plugin.allowed = processes.known(plugin).descriptor.requestedPermissions
    let entry = try processes.entry(plugin, place: path)
    let (manifest, _) = try ChildPrograms.manifest(entry)
    let program = ChildPrograms.program(entry, plugin, manifest)
    var verdicts = ProgramVerdicts(device: manifest.device)
    if let rejectionReason = program.rejectionReason() {
      verdicts.fail(.sealed, "\(rejectionReason); run stint plugin seal to accept the change")
      return verdicts
    }
    verdicts.keep(.sealed)
    let loop = try LoopExecutor()
    let bench = try ProgramBench(program, on: loop)
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
    let (judged, mismatch) = try PowerRecording(path: power).judge(manifest, bench.events, until: bench.now)
    if judged == 0 { found.skip(.energy, "no state has three readings of the power meter") }
    if let mismatch { found.fail(.energy, mismatch) } else if judged > 0 { found.keep(.energy) }
    return found
  }
}
