public import StintModel
import StintUnits

/// The types of what a policy declares, as far as the text shows them.
public enum DeclaredTypes {
  /// By the names of lets and parameters; those with mistakes are left out.
  public static func of(_ source: SourceText, vocabulary: Vocabulary) -> [String: FactType] {
    let parsed = Parser.parse(source)
    var checker = PolicyChecker(source: source, file: parsed.file, vocabulary: vocabulary, diagnostics: [])
    checker.check()
    var types: [String: FactType] = [:]
    for (name, parameter) in checker.parameters {
      if let quantity = parameter { types[name] = .quantity(quantity.dimension) }
    }
    for (name, definition) in checker.definitions {
      if case .checked(let value?, _) = definition.state, !value.isAnything { types[name] = value.type }
    }
    return types
  }
}
