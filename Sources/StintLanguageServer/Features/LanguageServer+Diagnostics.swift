import StintAuthoring
import StintFormats
import StintLanguage

extension LanguageServer {
  /// Publishes the diagnostics of every changed document, and of every open document that names rules of
  /// other policies.
  mutating func publishDiagnostics() {
    guard !changed.isEmpty else { return }
    let due = changed.union(documents.values.filter(\.namesOtherPolicies).map(\.identifier))
    changed.removeAll()
    for identifier in due.sorted() {
      guard let document = documents[identifier] else {
        // A closed document has no diagnostics: withdraw the published diagnostics.
        if published.remove(identifier) != nil { publish([], of: identifier, version: .null) }
        continue
      }
      published.insert(identifier)
      let items = diagnostics(of: document).map { json($0, in: document) }
      publish(items, of: identifier, version: document.version)
    }
  }

  /// Returns all diagnostics of a document. The document is checked together with the documents to whose
  /// rules it refers.
  func diagnostics(of document: Document) -> [Diagnostic] {
    let sources = [document.source] + documentsNamed(by: document).map(\.source)
    return check(sources, vocabulary).filter { $0.file == document.identifier }
  }

  /// Returns the documents to whose rules a document refers, directly or through other documents, sorted by
  /// identifier.
  private func documentsNamed(by document: Document) -> [Document] {
    var found: [String: Document] = [:]
    var frontier = [document]
    while let next = frontier.popLast() {
      let names = next.namedPolicies
      guard !names.isEmpty else { continue }
      for other in others(than: document) {
        guard found[other.identifier] == nil, names.contains(other.policyName) else { continue }
        found[other.identifier] = other
        frontier.append(other)
      }
    }
    return found.values.sorted { $0.identifier < $1.identifier }
  }

  private mutating func publish(_ items: [JSONValue], of identifier: String, version: JSONValue) {
    var members = [JSONMember("uri", JSONValue(identifier))]
    if version.integer != nil { members.append(JSONMember("version", version)) }
    members.append(JSONMember("diagnostics", JSONValue(items)))
    replies.append(Message.notification("textDocument/publishDiagnostics", JSONValue(members)))
  }

  /// Returns a diagnostic in the format of the protocol.
  func json(_ diagnostic: Diagnostic, in document: Document) -> JSONValue {
    let span = diagnostic.labels.first?.span ?? SourceSpan(start: 0, end: 0)
    var members = [
      JSONMember("range", document.range(span, encoding)),
      JSONMember("severity", JSONValue(Self.severity(diagnostic.severity))),
      JSONMember("code", JSONValue(diagnostic.code.name)),
      JSONMember("source", "stint"),
      JSONMember("message", JSONValue(Self.message(of: diagnostic))),
      JSONMember("data", Self.data(diagnostic.code)),
    ]
    // Tag 1 (unnecessary) makes editors show unused names in grey.
    if diagnostic.code == .unused { members.append(JSONMember("tags", [1])) }
    let related = diagnostic.labels.filter { !$0.text.isEmpty }
    if abilities.supportsRelatedInformation, !related.isEmpty {
      let places = related.map { label -> JSONValue in
        let location: JSONValue = [
          "uri": JSONValue(document.identifier), "range": document.range(label.span, encoding),
        ]
        return ["location": location, "message": JSONValue(label.text)]
      }
      members.append(JSONMember("relatedInformation", JSONValue(places)))
    }
    return JSONValue(members)
  }

  /// Returns additional information that an editor may show on request.
  private static func data(_ code: DiagnosticCode) -> JSONValue {
    ["meaning": JSONValue(code.meaning), "page": JSONValue("stint explain \(code.name)")]
  }

  private static func severity(_ severity: Diagnostic.Severity) -> Int {
    switch severity {
    case .error: 1
    case .warning: 2
    case .note: 3
    }
  }

  private static func message(of diagnostic: Diagnostic) -> String {
    diagnostic.hint.map { "\(diagnostic.title)\n\($0)" } ?? diagnostic.title
  }
}
