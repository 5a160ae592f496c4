public import StintModel
import StintUnits

/// Finds the types of the names that a policy declares, for editors.
public enum DeclaredTypes {
  /// Returns the types of lets and parameters by name. Declarations with errors are omitted.
  public static func of(_ source: SourceText, vocabulary: Vocabulary) -> [String: FactType] {
    let parsed = Parser.parse(source, units: vocabulary.units)
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
