import StintModel
import StintPluginHost
import StintPluginKit
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
  ///     without a power meter. The file is not used for a plugin with several devices, because the meter
  ///     measures all of them together.
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
    var verdicts = ProgramVerdicts(manifest)
    if let rejectionReason = program.rejectionReason() {
      verdicts.fail(.sealed, "\(rejectionReason); run stint plugin seal to accept the change")
      return verdicts
    }
    verdicts.keep(.sealed)
    let differences = verdicts.classes.flatMap { $0.differences(from: manifest) }
    verdicts.expect(differences.isEmpty, .classed, differences.joined(separator: "; "))
    let loop = try LoopExecutor()
    let bench = try ProgramBench(program, device: device, on: loop)
    let sealed = verdicts
    let printed = Locked<[String]>([])
    bench.listen { line in printed.withLock { $0.append(line) } }
    let trial = Spawner.run(on: loop) { () async -> ProgramVerdicts in
      var trial = ProgramTrial(bench)
      trial.verdicts = sealed
      await trial.run()
      return trial.verdicts
    }
    var found = trial.get()
    found.check(secrets(of: program), in: printed.withLock { $0 } + bench.faults())
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

  /// The words in the keys of settings whose values must not be printed.
  private static let secretWords = ["password", "token", "secret", "key"]

  /// Returns the values of the settings that contain a secret, by their keys. A value of less than four
  /// characters may be printed by chance, so the check skips it. The path of a file that contains a secret is
  /// not a secret.
  private static func secrets(of program: ChildProgram) -> [(key: String, value: String)] {
    program.settings.compactMap { entry in
      guard case .text(let value) = entry.value, value.count >= 4, !value.hasPrefix("/") else { return nil }
      let words = entry.key.lowercased().split { !$0.isLetter }.map(String.init)
      guard words.contains(where: secretWords.contains) else { return nil }
      return (entry.key, value)
    }
  }
}

extension ProgramVerdicts {
  /// Checks that no line contains a secret.
  fileprivate mutating func check(_ secrets: [(key: String, value: String)], in lines: [String]) {
    guard !secrets.isEmpty else {
      skip(.discreet, "no setting for a password, token, secret or key was given")
      return
    }
    let shown = secrets.first { secret in lines.contains { $0.contains(secret.value) } }
    expect(shown == nil, .discreet, "it prints the value of its setting “\(shown?.key ?? "")”")
  }
}
