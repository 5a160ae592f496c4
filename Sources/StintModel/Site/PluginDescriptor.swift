public import StintUnits

/// The description of a plugin, which the host reads before any code of the plugin runs. It contains the
/// hashes of the plugin's files, the settings, and the requested permissions of the plugin.
///
/// The JSON form, in a file beside the program, with paths relative to its folder:
/// ```json
/// {"stint_plugin": 1, "name": "thermometer", "meaning": "the temperature of the box",
///  "program": "thermometer.py", "manifest": "manifest.json",
///  "files": {"manifest.json": "03…", "thermometer.py": "9f…"},
///  "settings": [{"key": "offset", "kind": "whole", "range": [-10, 10], "meaning": "added to what is read"}],
///  "needs": [{"path": "/dev/i2c-1", "access": "write"}], "network": false, "processes": false}
/// ```
/// `files` contains the SHA-256 of each file. The plugin's process can access exactly these files with these
/// contents, and no other file of the folder. `processes` must be true for a plugin that starts processes.
/// A process with several devices has `"manifests": ["accelerometer.json", "gyro.json"]` in place of
/// `manifest`, at most 16 files. Its devices are numbered in this order. The kind of a setting is `text`,
/// `whole` with a `range`, `span` with `at_least`, or `flag`.
public struct PluginDescriptor: Hashable, Sendable {
  /// A file, folder or device node outside of the plugin's folder that the plugin needs.
  public struct Need: Hashable, Sendable {
    /// The access that the plugin needs.
    public enum Access: String, Hashable, Sendable, CaseIterable {
      case read, write
    }

    /// The absolute path of the resource.
    public var path: String
    /// The access that the plugin needs.
    public var access: Access

    /// Makes a need.
    public init(path: String, access: Access) {
      self.path = path
      self.access = access
    }
  }

  /// A file of the plugin, with its hash.
  public struct HashedFile: Hashable, Sendable {
    /// The path relative to the descriptor's folder; absolute only for a program outside of this folder.
    public var path: String
    /// The SHA-256 of the file, as 64 hexadecimal digits.
    public var hash: String

    /// Makes an entry.
    public init(path: String, hash: String) {
      self.path = path
      self.hash = hash
    }
  }

  /// The name, meaning and settings of the plugin.
  public var form: PluginForm
  /// The path of the program, relative to the descriptor's folder; absolute for a program outside of this
  /// folder.
  public var program: String
  /// The paths of the manifests, one for each device, relative to the descriptor's folder. At least one.
  public var manifests: [String]
  /// All files that the plugin's process can access, including program and manifests, sorted by path.
  public var files: [HashedFile]
  /// The resources that the plugin needs.
  public var needs: [Need]
  /// Whether the plugin needs sockets.
  public var needsNetwork: Bool
  /// Whether the plugin needs to start processes.
  public var needsProcesses: Bool

  /// The word in a site file that allows sockets.
  public static let network = "network"
  /// The word in a site file that allows processes.
  public static let processes = "processes"

  /// All permissions that the plugin needs, in the words of a site file.
  public var requestedPermissions: [String] {
    needs.map(\.path) + (needsNetwork ? [Self.network] : []) + (needsProcesses ? [Self.processes] : [])
  }

  /// Returns the SHA-256 of a file; nil when `files` does not contain it.
  public func hash(of path: String) -> String? { files.first { $0.path == path }?.hash }

  /// Makes a descriptor.
  public init(
    form: PluginForm, program: String, manifests: [String], files: [HashedFile], needs: [Need] = [],
    needsNetwork: Bool = false, needsProcesses: Bool = false
  ) {
    self.form = form
    self.program = program
    self.manifests = manifests
    self.files = files
    self.needs = needs
    self.needsNetwork = needsNetwork
    self.needsProcesses = needsProcesses
  }
}

/// The part of a plugin to which site files refer: its name and settings, each with its meaning.
public struct PluginForm: Hashable, Sendable {
  /// The name of the plugin.
  public var name: String
  /// The meaning as one sentence, for display.
  public var meaning: String
  /// The settings that a site file may specify.
  public var settings: [PluginSettingForm]

  /// Makes a form.
  public init(name: String, meaning: String, settings: [PluginSettingForm] = []) {
    self.name = name
    self.meaning = meaning
    self.settings = settings
  }
}

/// One setting of a plugin in site files.
public struct PluginSettingForm: Hashable, Sendable {
  /// The type of the value.
  public enum Kind: Hashable, Sendable {
    case text
    case whole(ClosedRange<Int>)
    /// A time span of at least this length, as in `"60 s"`.
    case span(atLeast: TimeSpan)
    case flag
  }

  /// The name of the setting.
  public var key: String
  /// The type of the value.
  public var kind: Kind
  /// The meaning as one sentence, for display.
  public var meaning: String

  /// Makes a form.
  public init(_ key: String, _ kind: Kind, _ meaning: String) {
    self.key = key
    self.kind = kind
    self.meaning = meaning
  }
}

/// The value of a plugin's setting.
public enum PluginSettingValue: Hashable, Sendable {
  case text(String)
  case whole(Int)
  case span(TimeSpan)
  case flag(Bool)
}
