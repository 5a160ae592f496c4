/// What a plugin is before any code of it runs: its program, its manifest, both bound by SHA-256, its settings, and
/// what it asks to touch.
///
/// The JSON form, in a file beside the program, with paths that count from its folder:
/// ```json
/// {"stint_plugin": 1, "name": "thermometer", "meaning": "the temperature of the box",
///  "program": "thermometer.py", "program_sha256": "9f…",
///  "manifest": "manifest.json", "manifest_sha256": "03…",
///  "settings": [{"key": "offset", "kind": "whole", "range": [-10, 10], "meaning": "added to what is read"}],
///  "needs": [{"path": "/dev/i2c-1", "access": "write"}], "network": false}
/// ```
/// A setting's kind is `text`, `whole` with a `range`, `span` with `at_least`, or `flag`.
public struct PluginDescriptor: Hashable, Sendable {
  /// Something outside of itself that a plugin has to touch.
  public struct Need: Hashable, Sendable {
    /// What may be done with it.
    public enum Access: String, Hashable, Sendable, CaseIterable {
      case read, write
    }

    public var path: String
    public var access: Access

    /// Makes a need.
    public init(path: String, access: Access) {
      self.path = path
      self.access = access
    }
  }

  public var form: PluginForm
  public var program: String
  /// 64 hexadecimal digits.
  public var programHash: String
  public var manifest: String
  /// 64 hexadecimal digits.
  public var manifestHash: String
  public var needs: [Need]
  /// Whether it asks for sockets.
  public var needsNetwork: Bool

  /// The word of a site file for sockets, beside the paths.
  public static let network = "network"

  /// All that it asks for, as a site file allows it.
  public var wishes: [String] { needs.map(\.path) + (needsNetwork ? [Self.network] : []) }

  /// Makes a descriptor.
  public init(
    form: PluginForm, program: String, programHash: String, manifest: String, manifestHash: String,
    needs: [Need] = [], needsNetwork: Bool = false
  ) {
    self.form = form
    self.program = program
    self.programHash = programHash
    self.manifest = manifest
    self.manifestHash = manifestHash
    self.needs = needs
    self.needsNetwork = needsNetwork
  }
}
