public import StintLanguage

/// The declaration of a symbol in a policy.
public struct SymbolDefinition: Hashable, Sendable {
  /// The declared symbol.
  public var symbol: Symbol
  /// The range of the name in the source.
  public var nameSpan: SourceSpan
  /// The range of the whole declaration in the source.
  public var span: SourceSpan
}
