import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// Computes the outline of a policy.
extension LanguageServer {
  /// An entry of the outline.
  private struct Entry {
    var name: String
    var detail: String
    /// The number of the symbol kind in the protocol.
    var kind: Int
    var nameSpan: SourceSpan
    var span: SourceSpan
    var children: [Entry] = []
  }

  func symbols(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let document = try document(parameters.documentIdentifier())
    let file = Parser.parse(document.source, units: vocabulary.units).file
    let entries = file.items.compactMap(Self.entry)
    if abilities.nestsSymbols { return JSONValue(entries.map { json($0, in: document) }) }
    return JSONValue(entries.flatMap { flat($0, in: document, container: file.name?.text) })
  }

  private static func entry(_ item: PolicyItem) -> Entry? {
    func named(_ text: String, _ span: SourceSpan, _ kind: Int, _ detail: String) -> Entry? {
      text.isEmpty ? nil : Entry(name: text, detail: detail, kind: kind, nameSpan: span, span: item.span)
    }
    func named(_ name: Name, _ kind: Int, _ detail: String) -> Entry? {
      named(name.text, name.span, kind, detail)
    }
    switch item {
    case .use(let use): return named(use.alias, 2, use.path.text)
    case .let(let definition): return named(definition.name, 13, "let")
    case .parameter(let parameter): return named(parameter.name, 14, "param")
    case .schedule(let schedule): return named(schedule.name, 24, "schedule")
    case .zone(let zone): return named(zone.name, 19, "zone")
    case .default(let fallback): return named(fallback.target, 7, "default")
    case .rule(let rule): return named(rule.name, 12, rule.note?.text ?? "rule")
    case .budget(let budget): return named(budget.name, 16, "budget")
    case .require(let requirement):
      return Entry(
        name: "require", detail: "", kind: 17, nameSpan: requirement.condition.span, span: item.span)
    case .test(let test):
      return named(test.title.text, test.title.span, 6, "test")
    case .machine(let machine):
      var entry = named(machine.name, 5, "machine")
      entry?.children = machine.states.filter { !$0.name.text.isEmpty }.map { state in
        Entry(name: state.name.text, detail: "state", kind: 22, nameSpan: state.name.span, span: state.span)
      }
      return entry
    }
  }

  private func json(_ entry: Entry, in document: Document) -> JSONValue {
    [
      "name": JSONValue(entry.name), "detail": JSONValue(entry.detail), "kind": JSONValue(entry.kind),
      "range": document.range(Self.join(entry.span, entry.nameSpan), encoding),
      "selectionRange": document.range(entry.nameSpan, encoding),
      "children": JSONValue(entry.children.map { json($0, in: document) }),
    ]
  }

  private func flat(_ entry: Entry, in document: Document, container: String?) -> [JSONValue] {
    let own: JSONValue = [
      "name": JSONValue(entry.name), "kind": JSONValue(entry.kind),
      "containerName": JSONValue(container ?? ""),
      "location": location(Self.join(entry.span, entry.nameSpan), in: document),
    ]
    return [own] + entry.children.flatMap { flat($0, in: document, container: entry.name) }
  }

  /// Returns a span that contains both spans. Editors reject an outline in which a name lies outside its
  /// entry.
  private static func join(_ left: SourceSpan, _ right: SourceSpan) -> SourceSpan {
    SourceSpan(start: min(left.start, right.start), end: max(left.end, right.end))
  }
}
