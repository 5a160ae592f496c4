import StintAuthoring
import StintFormats
import StintLanguage
import StintModel

/// Edits that the server offers: fixes and formatting.
extension LanguageServer {
  func codeActions(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let document = try document(parameters.documentIdentifier())
    let range = try parameters.part("range").range()
    if let only = parameters["context"]?["only"]?.items,
      !only.contains(where: { $0.string == "quickfix" || $0.string == "" })
    {
      return []
    }
    let start = document.offset(of: range.lowerBound, encoding)
    let end = document.offset(of: range.upperBound, encoding)
    let actions = diagnostics(of: document).compactMap { diagnostic -> JSONValue? in
      guard let fix = diagnostic.fix, let place = diagnostic.labels.first?.span else { return nil }
      let first = min(place.start, fix.span.start)
      guard first <= end, max(place.end, fix.span.end) >= start else { return nil }
      return action(fix, for: diagnostic, in: document)
    }
    return JSONValue(actions)
  }

  private func action(_ fix: Diagnostic.Fix, for diagnostic: Diagnostic, in document: Document) -> JSONValue {
    let edit: JSONValue = [
      "range": document.range(fix.span, encoding), "newText": JSONValue(fix.replacement),
    ]
    return [
      "title": JSONValue(fix.title(in: document.source)), "kind": "quickfix", "isPreferred": true,
      "diagnostics": [json(diagnostic, in: document)],
      "edit": ["changes": JSONValue([JSONMember(document.identifier, [edit])])],
    ]
  }

  func formatting(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let document = try document(parameters.documentIdentifier())
    let source = document.source
    switch Formatter.format(source, units: vocabulary.units) {
    case .failure(let refusal):
      let error = refusal.diagnostics.first { $0.severity == .error }
      let line = error?.labels.first.map { source.position(of: $0.span.start).line } ?? 1
      throw ResponseError(
        .requestFailed, "the policy cannot be formatted: line \(line): \(error?.title ?? "it has errors")")
    case .success(let text):
      return JSONValue(edits(from: source, to: text, in: document))
    }
  }

  /// Returns one edit that replaces the lines between the common prefix and the common suffix of both texts.
  /// Returns no edit when the texts are equal.
  private func edits(from source: SourceText, to text: String, in document: Document) -> [JSONValue] {
    let old = source.bytes
    let new = Array(text.utf8)
    guard old != new else { return [] }
    let shorter = min(old.count, new.count)
    var front = 0
    while front < shorter, old[front] == new[front] { front += 1 }
    var back = 0
    while back < shorter - front, old[old.count - 1 - back] == new[new.count - 1 - back] { back += 1 }
    // The edit covers whole lines, so that it splits no character and editors show the changed lines.
    while front > 0, old[front - 1] != 0x0A { front -= 1 }
    while back > 0, back == old.count || old[old.count - back - 1] != 0x0A { back -= 1 }
    let span = SourceSpan(start: front, end: old.count - back)
    let replacement = String(decoding: new[front..<(new.count - back)], as: UTF8.self)
    return [["range": document.range(span, encoding), "newText": JSONValue(replacement)]]
  }
}
