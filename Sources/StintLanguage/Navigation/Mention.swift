public import StintModel

/// A place in a policy that names something.
public struct Mention: Hashable, Sendable {
  /// What is named.
  public enum Meaning: Hashable, Sendable {
    case symbol(Symbol)
    /// A fact, by its whole path.
    case fact(String)
    /// A device by its whole name.
    case device(DeviceID)
    /// A rule of another policy.
    case foreignRule(RuleID)
    case function(String)
    case verb(String)
    /// A setting, with its device where the text shows it.
    case setting(String, of: DeviceID?)
    /// One of the words that a fact can be.
    case word(String, of: String)
    /// A name that means nothing; the checker reports it.
    case unknown(String)
  }

  public var meaning: Meaning
  public var span: SourceSpan
  /// Whether this is the place that declares it.
  public var isDefinition: Bool

  /// Makes a mention.
  public init(_ meaning: Meaning, _ span: SourceSpan, isDefinition: Bool = false) {
    self.meaning = meaning
    self.span = span
    self.isDefinition = isDefinition
  }
}
