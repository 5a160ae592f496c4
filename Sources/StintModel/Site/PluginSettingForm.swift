public import StintUnits

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
