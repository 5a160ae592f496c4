/// Where a policy declares something.
public struct SymbolDefinition: Hashable, Sendable {
  public var symbol: Symbol
  /// The name itself.
  public var nameSpan: SourceSpan
  /// Everything that the declaration consists of.
  public var span: SourceSpan

  /// Makes a definition.
  public init(symbol: Symbol, nameSpan: SourceSpan, span: SourceSpan) {
    self.symbol = symbol
    self.nameSpan = nameSpan
    self.span = span
  }
}
