public import StintUnits

/// What a plugin is before any code of it runs: its files, each bound by SHA-256, its settings, and what it asks to
/// touch.
///
/// The JSON form, in a file beside the program, with paths that count from its folder:
/// ```json
/// {"stint_plugin": 1, "name": "thermometer", "meaning": "the temperature of the box",
///  "program": "thermometer.py", "manifest": "manifest.json",
///  "files": {"manifest.json": "03…", "thermometer.py": "9f…"},
///  "settings": [{"key": "offset", "kind": "whole", "range": [-10, 10], "meaning": "added to what is read"}],
///  "needs": [{"path": "/dev/i2c-1", "access": "write"}], "network": false, "processes": false}
/// ```
/// `files` is the seal: the plugin's process sees these files with these contents, and no other file of its
/// folder. A process that may start processes says so with `processes`. A setting's kind is `text`, `whole`
/// with a `range`, `span` with `at_least`, or `flag`.
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

  /// A file of the seal.
  public struct SealedName: Hashable, Sendable {
    /// Counts from the descriptor's folder; whole only for a program that lies elsewhere.
    public var path: String
    /// 64 hexadecimal digits of its SHA-256.
    public var hash: String

    /// Makes an entry.
    public init(path: String, hash: String) {
      self.path = path
      self.hash = hash
    }
  }

  public var form: PluginForm
  public var program: String
  public var manifest: String
  /// All files that its process sees, program and manifest among them, sorted by path.
  public var files: [SealedName]
  public var needs: [Need]
  /// Whether it asks for sockets.
  public var needsNetwork: Bool
  /// Whether it asks to start processes of its own.
  public var needsProcesses: Bool

  /// The word of a site file for sockets, beside the paths.
  public static let network = "network"
  /// The word of a site file for processes.
  public static let processes = "processes"

  /// All that it asks for, as a site file allows it.
  public var requestedPermissions: [String] {
    needs.map(\.path) + (needsNetwork ? [Self.network] : []) + (needsProcesses ? [Self.processes] : [])
  }

  /// The SHA-256 of a file; nil when the seal does not have it.
  public func hash(of path: String) -> String? { files.first { $0.path == path }?.hash }

  /// Makes a descriptor.
  public init(
    form: PluginForm, program: String, manifest: String, files: [SealedName], needs: [Need] = [],
    needsNetwork: Bool = false, needsProcesses: Bool = false
  ) {
    self.form = form
    self.program = program
    self.manifest = manifest
    self.files = files
    self.needs = needs
    self.needsNetwork = needsNetwork
    self.needsProcesses = needsProcesses
  }
}

/// What a site file may say about a plugin: its name there, and its settings.
public struct PluginForm: Hashable, Sendable {
  public var name: String
  /// One sentence for people.
  public var meaning: String
  public var settings: [PluginSettingForm]

  /// Makes a form.
  public init(name: String, meaning: String, settings: [PluginSettingForm] = []) {
    self.name = name
    self.meaning = meaning
    self.settings = settings
  }
}

/// One setting of a plugin, as site files write it.
public struct PluginSettingForm: Hashable, Sendable {
  /// What sort of value it has.
  public enum Kind: Hashable, Sendable {
    case text
    case whole(ClosedRange<Int>)
    /// A span of time no shorter than this, as in `"60 s"`.
    case span(atLeast: TimeSpan)
    case flag
  }

  public var key: String
  public var kind: Kind
  /// One sentence for people.
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
