public import StintModel
public import StintPluginKit

/// A plugin that is a program of its own: what to start, as whom to trust it, what to tell it.
public struct ChildProgram: Sendable {
  /// What the operator calls it.
  public var name: String
  public var manifest: Manifest
  /// The program's path, resolved.
  public var path: String
  public var arguments: [String]
  /// The folder in which it runs.
  public var folder: String
  /// The settings that it gets when it is opened, in the order of the plugin's form.
  public var settings: [PluginSettingEntry]
  /// What it may touch besides its own folder and the system's libraries.
  public var access: ChildAccess
  /// The files that the process sees of its folder, read and compared with their seal before every start; none for a
  /// program without a seal, which sees its folder as that is.
  public var files: @Sendable () throws(ChildFailure) -> [SealedFile]
  public var limits: SupervisionLimits

  /// Describes a program.
  public init(
    name: String, manifest: Manifest, path: String, arguments: [String] = [], folder: String = "/",
    settings: [PluginSettingEntry] = [], limits: SupervisionLimits = SupervisionLimits(),
    access: ChildAccess = ChildAccess(),
    files: @escaping @Sendable () throws(ChildFailure) -> [SealedFile] = { () throws(ChildFailure) in [] }
  ) {
    self.name = name
    self.manifest = manifest
    self.path = path
    self.arguments = arguments
    self.folder = folder
    self.settings = settings
    self.limits = limits
    self.access = access
    self.files = files
  }

  /// Why the program is not the one that the operator knows; nil when it is.
  public func rejectionReason() -> String? {
    do throws(ChildFailure) {
      _ = try files()
      return nil
    } catch {
      return error.sentence
    }
  }
}
