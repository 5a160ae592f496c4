import StintAuthoring
import StintFormats
import StintLanguage
import StintModel

/// Renames the declarations of policies.
extension LanguageServer {
  func prepareRename(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let (reading, mention) = try reading(parameters)
    guard let mention, let name = Self.renamable(mention.meaning) else { return .null }
    return ["range": reading.document.range(mention.span, encoding), "placeholder": JSONValue(name)]
  }

  func rename(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let (reading, mention) = try reading(parameters)
    let new = try parameters.text("newName")
    guard let mention, let old = Self.renamable(mention.meaning) else {
      throw ResponseError(.requestFailed, "only names that a policy declares can be renamed")
    }
    guard Self.isName(new) else {
      throw ResponseError(
        .requestFailed,
        "“\(new.prefix(40))” is not a name; write an ASCII letter, then up to 199 letters, digits and _")
    }
    let places = uses(of: mention.meaning, in: reading).filter { !$0.1.isEmpty }
    if new != old {
      for (reading, mentions) in places { try refuse(new, for: mentions, in: reading) }
    }
    let changes = places.map { reading, mentions in
      let edits = mentions.map { mention -> JSONValue in
        ["range": reading.document.range(mention.span, encoding), "newText": JSONValue(new)]
      }
      return JSONMember(reading.document.identifier, JSONValue(edits))
    }
    return ["changes": JSONValue(changes)]
  }

  /// Returns the name that can be changed; nil when no policy declares the name.
  private static func renamable(_ meaning: Mention.Meaning) -> String? {
    switch meaning {
    case .symbol(let symbol): symbol.name
    case .foreignRule(let id): id.rule
    default: nil
    }
  }

  /// Throws when the new name is already declared, or is a keyword where keywords cannot be names.
  private func refuse(_ new: String, for mentions: [Mention], in reading: ParsedDocument)
    throws(ResponseError)
  {
    guard case .symbol(let symbol)? = mentions.first?.meaning else { return }
    let taken = reading.index.definitions.first { other in
      other.symbol.name == new && other.symbol.sharesNamespace(with: symbol)
    }
    if let taken {
      let line = reading.source.position(of: taken.nameSpan.start).line
      throw ResponseError(.requestFailed, "“\(new)” is already declared in line \(line)")
    }
    if symbol.kind != .rule, symbol.kind != .state, Keywords.reserved.contains(new) {
      throw ResponseError(.requestFailed, "“\(new)” is a word of the language")
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 200 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    return isLetter(first)
      && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }
}

extension Symbol {
  /// Returns true when two symbols share a namespace, so that they cannot have the same name.
  fileprivate func sharesNamespace(with other: Symbol) -> Bool {
    let separate: Set<Kind> = [.rule, .state]
    if separate.contains(kind) || separate.contains(other.kind) {
      return kind == other.kind && owner == other.owner
    }
    return true
  }
}
