import StintAuthoring
import StintFormats
import StintLanguage
import StintModel

/// Finds declarations and uses of names.
extension LanguageServer {
  /// Returns the document and the mention at the position of a request. The mention is nil when there is no
  /// name at the position.
  func reading(_ parameters: JSONValue) throws(ResponseError) -> (ParsedDocument, Mention?) {
    let document = try document(parameters.documentIdentifier())
    let offset = document.offset(of: try parameters.part("position").position(), encoding)
    let reading = ParsedDocument(document, vocabulary: vocabulary)
    return (reading, reading.index.mention(at: offset))
  }

  func definition(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let (reading, mention) = try reading(parameters)
    guard let mention else { return .null }
    switch mention.meaning {
    case .symbol(let symbol):
      return reading.index.definition(of: symbol).map { location($0.nameSpan, in: reading.document) } ?? .null
    case .foreignRule(let id):
      let symbol = Symbol(.rule, id.rule)
      for other in readings(ofPolicy: id.policy, besides: reading.document) {
        if let found = other.index.definition(of: symbol) {
          return location(found.nameSpan, in: other.document)
        }
      }
      return .null
    case .fact(let path): return use(publishing: path, in: reading)
    case .device(let device): return use(of: device, in: reading)
    case .function, .verb, .setting, .word, .unknown: return .null
    }
  }

  func references(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let (reading, mention) = try reading(parameters)
    guard let mention else { return [] }
    let withDeclaration = parameters["context"]?["includeDeclaration"]?.boolean ?? true
    let places = uses(of: mention.meaning, in: reading).flatMap { reading, mentions in
      mentions.filter { withDeclaration || !$0.isDefinition }.map { location($0.span, in: reading.document) }
    }
    return JSONValue(places)
  }

  func highlights(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let (reading, mention) = try reading(parameters)
    guard let mention else { return [] }
    let places = reading.index.mentions(of: mention.meaning).map { mention -> JSONValue in
      ["range": reading.document.range(mention.span, encoding), "kind": mention.isDefinition ? 3 : 2]
    }
    return JSONValue(places)
  }

  /// Returns all mentions of an entity, in this document and, for rules, in the other documents.
  func uses(of meaning: Mention.Meaning, in reading: ParsedDocument) -> [(ParsedDocument, [Mention])] {
    var places = [(reading, reading.index.mentions(of: meaning))]
    let rule: RuleID
    switch meaning {
    case .symbol(let symbol) where symbol.kind == .rule && !reading.name.isEmpty:
      rule = RuleID(policy: reading.name, rule: symbol.name)
    case .foreignRule(let id): rule = id
    default: return places
    }
    for other in others(than: reading.document) {
      let other = ParsedDocument(other, vocabulary: vocabulary)
      let wanted: Mention.Meaning =
        other.name == rule.policy ? .symbol(Symbol(.rule, rule.rule)) : .foreignRule(rule)
      places.append((other, other.index.mentions(of: wanted)))
    }
    return places
  }

  /// Returns the other open documents, and the unopened policies in the folder of the document, sorted by
  /// identifier.
  func others(than document: Document) -> [Document] {
    var found = documents.values.filter { $0.identifier != document.identifier }
    // Editors may write the URI of one file in several forms.
    let open = Set(documents.keys.map { FileURI.path(of: $0) ?? $0 })
    for source in neighbours(document.identifier)
    where !open.contains(FileURI.path(of: source.file) ?? source.file) {
      found.append(Document(identifier: source.file, version: .null, text: source.text))
    }
    return found.sorted { $0.identifier < $1.identifier }
  }

  /// Returns the other documents whose policy has this name.
  private func readings(ofPolicy name: String, besides document: Document) -> [ParsedDocument] {
    others(than: document).filter { $0.policyName == name }
      .map { ParsedDocument($0, vocabulary: vocabulary) }
  }

  /// Returns the location of the `use` of the device that publishes a fact. A fact has no declaration of its
  /// own in a policy.
  private func use(publishing path: String, in reading: ParsedDocument) -> JSONValue {
    guard let device = vocabulary.declaredSchema(path)?.device else { return .null }
    return use(of: device, in: reading)
  }

  private func use(of device: DeviceID, in reading: ParsedDocument) -> JSONValue {
    for case .use(let item) in reading.file.items where item.device(in: vocabulary) == device {
      return location(item.alias.span, in: reading.document)
    }
    return .null
  }

  func location(_ span: SourceSpan, in document: Document) -> JSONValue {
    ["uri": JSONValue(document.identifier), "range": document.range(span, encoding)]
  }
}
