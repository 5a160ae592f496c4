public import StintModel
public import StintPluginKit
import StintUnits

/// A plugin that is a separate program: its path, arguments, access and settings.
public struct ChildProgram: Sendable {
  /// The name of the plugin in the site file.
  public var name: String
  /// The devices of the program in the order of its manifests, at least one.
  public var devices: [ProgramDevice]
  /// The path of the program, with links resolved.
  public var path: String
  /// The arguments of the program, without its name.
  public var arguments: [String]
  /// The working folder of the process.
  public var folder: String
  /// The settings for `open`, in the order of the plugin's form.
  public var settings: [PluginSettingEntry]
  /// The settings whose values are secrets, by name. The text of each secret is read before every
  /// `open`.
  public var secrets: [String: SecretReference] = [:]
  /// Receives a line for each frame in both directions, on the thread of the loop; nil without a listener.
  package var trace: (@Sendable (String) -> Void)?
  /// The files, network and processes that the process may use, in addition to its own folder and the
  /// system's libraries.
  public var access: ChildAccess
  /// The function that reads the files of the program's folder to which the process has access. The host
  /// calls this function before every start. It throws when a file differs from its approved hash. It returns
  /// an empty array for a program without hashes; the process of such a program can access the folder itself.
  package var files: @Sendable () throws(ChildFailure) -> [SealedFile]
  /// The SHA-256 of the program, in hexadecimal; nil for a program without an approved hash.
  public var hash: String?
  /// The deadlines and restart limits.
  public var limits: SupervisionLimits

  /// The manifest of the first device, with its name in the site.
  public var manifest: Manifest { devices[0].manifest }

  /// Makes the description of a program with one device, which has the name of its manifest.
  package init(
    name: String, manifest: Manifest, path: String, arguments: [String] = [], folder: String = "/",
    settings: [PluginSettingEntry] = [], limits: SupervisionLimits = SupervisionLimits(),
    access: ChildAccess = ChildAccess(),
    files: @escaping @Sendable () throws(ChildFailure) -> [SealedFile] = { () throws(ChildFailure) in [] }
  ) {
    self.name = name
    devices = [ProgramDevice(manifest)]
    self.path = path
    self.arguments = arguments
    self.folder = folder
    self.settings = settings
    self.limits = limits
    self.access = access
    self.files = files
  }

  /// Returns the settings for `open`, and the secrets among them.
  ///
  /// - Throws: a failure when a secret cannot be found.
  package func openSettings() throws(ChildFailure) -> (entries: [PluginSettingEntry], secrets: [String]) {
    var (entries, texts) = (settings, [String]())
    for (key, secret) in secrets.sorted(by: { $0.key < $1.key }) {
      let text: String
      do throws(Problem) { text = try secret.text() } catch {
        throw ChildFailure(.start, "has no value of its setting “\(key)”: \(error.place): \(error.cause)")
      }
      entries.append(PluginSettingEntry(key, .text(text)))
      texts.append(text)
    }
    return (entries, texts)
  }

  /// Returns a sentence about the first file that cannot be read or differs from its approved hash. Nil when
  /// all files match.
  public func rejectionReason() -> String? {
    do throws(ChildFailure) {
      _ = try files()
      return nil
    } catch {
      return error.sentence
    }
  }
}
