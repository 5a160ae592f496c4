public import StintUnits

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
