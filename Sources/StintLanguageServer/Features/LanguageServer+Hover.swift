import StintAuthoring
import StintFormats
import StintLanguage
import StintModel
import StintUnits

extension LanguageServer {
  func hover(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let (reading, mention) = try reading(parameters)
    guard let mention else { return try hoverOnKeyword(parameters, reading) }
    guard let text = text(about: mention.meaning, in: reading) else { return .null }
    return answer(text, mention.span, in: reading.document)
  }

  private func answer(_ text: HoverText, _ span: SourceSpan, in document: Document) -> JSONValue {
    ["contents": text.content(isMarkdown: abilities.showsMarkdown), "range": document.range(span, encoding)]
  }

  private func hoverOnKeyword(_ parameters: JSONValue, _ reading: ParsedDocument) throws(ResponseError)
    -> JSONValue
  {
    let offset = reading.document.offset(of: try parameters.part("position").position(), encoding)
    let token = PolicyToken.all(of: reading.source).first {
      $0.kind == .word && $0.span.start <= offset && $0.span.end >= offset
    }
    guard let token,
      let keyword = LanguageDefinition.keyword(reading.source.text(of: token.span))
    else {
      return .null
    }
    let word = reading.source.text(of: token.span)
    let verdict = word == "require" ? self.verdict(onWhatFollows: token.span, in: reading) : nil
    let lines = [keyword.word.meaning, verdict].compactMap(\.self)
    return answer(HoverText(excerpt: word, lines), token.span, in: reading.document)
  }

  /// Returns the verdict on the requirement after a keyword, with its reason. Nil when the policy has errors,
  /// or when no requirement follows.
  private func verdict(onWhatFollows span: SourceSpan, in reading: ParsedDocument) -> String? {
    let (policies, diagnostics) = Checker.check([reading.source], vocabulary: vocabulary)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return nil }
    let requirements = RequirementVerification.verified(policies, vocabulary: vocabulary).flatMap(
      \.requirements)
    let text = requirements.first { $0.span.start >= span.end }?.verdict.text
    return text.map { "\($0.word): \($0.reason)" }
  }

  private func text(about meaning: Mention.Meaning, in reading: ParsedDocument) -> HoverText? {
    switch meaning {
    case .symbol(let symbol): return text(about: symbol, in: reading)
    case .fact(let path): return text(aboutFact: path, in: reading)
    case .device(let device): return vocabulary.manifest(device).map { HoverText($0) }
    case .function(let name):
      return LanguageDefinition.function(name).map { HoverText($0.word) }
    case .verb(let name): return LanguageDefinition.verb(name).map { HoverText($0.word) }
    case .setting(let name, let device): return text(aboutSetting: name, of: device)
    case .word(let word, let path):
      guard let schema = reading.schema(of: path), case .symbol(let words) = schema.type, words.contains(word)
      else { return nil }
      var lines = ["a word of \(path): \(words.joined(separator: ", "))"]
      if path.hasSuffix(".state"),
        let state = schema.device.flatMap({ vocabulary.manifest($0) })?.states.first(
          where: { $0.name == word })
      {
        lines.append("draws \(HoverText.text(of: state.power))")
      }
      return HoverText(excerpt: word, lines)
    case .foreignRule(let id):
      return HoverText(excerpt: id.rule, ["a rule of the policy “\(id.policy)”"])
    case .unknown: return nil
    }
  }

  private func text(aboutFact path: String, in reading: ParsedDocument) -> HoverText? {
    guard vocabulary.declaredSchema(path) == nil,
      let client = ClientFact.description(of: path, manifests: vocabulary.manifests)
    else {
      return vocabulary.declaredSchema(path).map { schema in
        HoverText(schema, of: schema.device.flatMap { vocabulary.manifest($0) })
      }
    }
    var text =
      reading.schema(of: path).map { HoverText($0, of: nil) } ?? HoverText(excerpt: path, [client.meaning])
    text.lines.append(
      "a rule that reads this fact is evaluated once for each demand, and limits only that demand")
    return text
  }

  private func text(aboutSetting name: String, of device: DeviceID?) -> HoverText? {
    let schema = device.flatMap { vocabulary.manifest($0) }?.attribute(named: name)
    let lines = [LanguageDefinition.setting(name)?.word.meaning, schema.map { HoverText.sentence($0) }]
      .compactMap(\.self)
    return lines.isEmpty ? nil : HoverText(excerpt: name, lines)
  }

  private func text(about symbol: Symbol, in reading: ParsedDocument) -> HoverText? {
    guard let definition = reading.index.definition(of: symbol) else { return nil }
    let excerpt = Self.head(of: reading.source.text(of: definition.span))
    switch symbol.kind {
    case .device:
      guard let device = reading.device(symbol.name) else { return nil }
      guard let manifest = vocabulary.manifest(device) else {
        return HoverText(excerpt: excerpt, ["no device has the name “\(device)”"])
      }
      var text = HoverText(manifest)
      text.excerpt = excerpt
      return text
    case .let, .parameter:
      let type = DeclaredTypes.of(reading.source, vocabulary: vocabulary)[symbol.name]
      let name = type.map { $0 == .boolean ? "a condition" : $0.name }
      return HoverText(excerpt: excerpt, name.map { ["type: \($0)"] } ?? [])
    case .budget:
      return HoverText(excerpt: excerpt, ["the used share of the budget, as a percentage"])
    case .machine:
      let states = reading.index.definitions.map(\.symbol).filter { $0.owner == symbol.name }.map(\.name)
      return HoverText(excerpt: excerpt, ["states: \(states.joined(separator: ", "))"])
    case .state: return HoverText(excerpt: excerpt, ["a state of \(symbol.owner ?? "")"])
    case .schedule, .zone, .rule: return HoverText(excerpt: excerpt, [])
    }
  }

  /// Returns the part of a declaration before its first block, shortened to a few lines.
  private static func head(of text: String) -> String {
    let head = text.prefix { $0 != "{" }.split(separator: "\n", omittingEmptySubsequences: true).prefix(6)
    var result = head.joined(separator: "\n")
    while result.last?.isWhitespace == true { result.removeLast() }
    return result
  }
}
