public import StintLanguage
public import StintModel

/// A use or declaration of a name in a policy.
public struct Mention: Hashable, Sendable {
  /// The entity that a name refers to.
  public enum Meaning: Hashable, Sendable {
    case symbol(Symbol)
    /// A fact, by its full path.
    case fact(String)
    /// A device, by its full name.
    case device(DeviceID)
    /// A rule of another policy.
    case foreignRule(RuleID)
    case function(String)
    case verb(String)
    /// A setting, with its device. The device is nil when the text of the policy does not determine it.
    case setting(String, of: DeviceID?)
    /// A word that a fact can have as its value, with the path of this fact.
    case word(String, of: String)
    /// An unknown name; the checker reports it.
    case unknown(String)
  }

  /// The entity that the name refers to.
  public var meaning: Meaning
  /// The range of the name in the source.
  public var span: SourceSpan
  /// True when the name is declared here.
  public var isDefinition: Bool

  /// Creates a mention of an entity.
  public init(_ meaning: Meaning, _ span: SourceSpan, isDefinition: Bool = false) {
    self.meaning = meaning
    self.span = span
    self.isDefinition = isDefinition
  }
}
