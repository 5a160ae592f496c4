import StintModel
import StintPluginKit
import StintTools
import StintUnits

/// The options that choose the devices for which a command reads policies.
enum DeviceOptions {
  static let definitions: [OptionDefinition] = [
    .value("site", "FILE", "use the devices and declared facts of this site").file(.input),
    .value("manifests", "DIR", "add the devices whose manifests are in this folder")
      .file(.input(suffixes: [".json"])),
  ]

  /// Returns the devices and facts for the arguments of a command.
  static func vocabulary(_ arguments: Arguments, _ linked: [LinkedPlugin]) throws(Problem) -> Vocabulary {
    try PolicyDevices(
      site: arguments.text("site"), manifests: arguments.text("manifests"), linked: linked
    ).vocabulary
  }
}
