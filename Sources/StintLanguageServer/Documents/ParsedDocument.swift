import StintAuthoring
import StintLanguage
import StintModel
import StintUnits

/// A document with its current syntax tree and names.
struct ParsedDocument {
  let document: Document
  let source: SourceText
  let file: PolicyFile
  let index: SymbolIndex
  let vocabulary: Vocabulary

  init(_ document: Document, vocabulary: Vocabulary) {
    self.document = document
    self.vocabulary = vocabulary
    source = document.source
    file = Parser.parse(source, units: vocabulary.units).file
    index = SymbolIndex(file, vocabulary: vocabulary)
  }

  /// The name of the policy; empty when the document does not name its policy.
  var name: String { file.name?.text ?? "" }

  /// Returns the type of a let, a parameter, a budget or a fact; nil for other names.
  func type(of name: String) -> FactType? {
    for item in file.items {
      switch item {
      case .let(let item) where item.name.text == name:
        return DeclaredTypes.of(source, vocabulary: vocabulary)[name]
      case .parameter(let item) where item.name.text == name:
        return item.value.quantity.map { .quantity($0.dimension) }
      case .budget(let item) where item.name.text == name: return .quantity(.ratio)
      default: continue
      }
    }
    return schema(of: name)?.type
  }

  /// Returns the schema of the fact that a name denotes; nil when no such fact exists. The name of a device
  /// alone denotes the fact of its state.
  func schema(of name: String) -> FactSchema? {
    if let schema = vocabulary.declaredSchema(name) { return schema }
    if let client = ClientFact.description(of: name, manifests: vocabulary.manifests), device("client") == nil
    {
      return client.type.map { FactSchema(path: name, type: $0, meaning: client.meaning) }
    }
    let words = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard let first = words.first, let device = device(first) else { return nil }
    return vocabulary.declaredSchema("\(device).\(words.count == 2 ? words[1] : "state")")
  }

  /// Returns the full name of the device that a short name denotes; nil when the short name is not declared.
  func device(_ alias: String) -> DeviceID? {
    for case .use(let item) in file.items where item.alias.text == alias {
      return item.device(in: vocabulary)
    }
    return nil
  }

  /// Returns the states of a machine, even while its first line is still being typed.
  func states(of machine: String) -> [String] {
    let declared = index.definitions.map(\.symbol).filter { $0.kind == .state && $0.owner == machine }
    if !declared.isEmpty { return declared.map(\.name) }
    var states: [String] = []
    var before = ""
    var isWithin = false
    for token in PolicyToken.all(of: source) where token.kind != .comment {
      let word = source.text(of: token.span)
      if token.isFirstOnLine, Keywords.items.contains(word), source.position(of: token.span.start).column == 1
      {
        isWithin = false
      }
      if before == "machine" { isWithin = word == machine }
      if isWithin, before == "state", token.kind == .word { states.append(word) }
      before = word
    }
    return states
  }
}
