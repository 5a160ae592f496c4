import StintAuthoring
public import StintFormats
import StintLanguage

extension PolicyCheck {
  /// The check as a SARIF 2.1.0 log. Each code is a rule with its page as help; each diagnostic is a result
  /// with its locations and its fix. Lines and columns count from 1, columns in Unicode code points.
  public var sarif: JSONValue {
    let run: JSONValue = [
      "tool": [
        "driver": [
          "name": "stint", "version": JSONValue(Version.package),
          "semanticVersion": JSONValue(Version.package),
          "rules": JSONValue(DiagnosticPage.all.map(rule)),
        ]
      ],
      "columnKind": "unicodeCodePoints",
      "artifacts": JSONValue(
        sources.map { source -> JSONValue in
          [
            "location": ["uri": JSONValue(Self.address(of: source.file))],
            "encoding": source.wasWide ? "UTF-16" : "UTF-8",
          ]
        }),
      "invocations": [["executionSuccessful": true]],
      "results": JSONValue(diagnostics.map(result)),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
  }

  private func rule(_ page: DiagnosticPage) -> JSONValue {
    [
      "id": JSONValue(page.code.name), "shortDescription": ["text": JSONValue(page.code.meaning)],
      "fullDescription": ["text": JSONValue(page.summary)],
      "help": ["text": JSONValue(page.text()), "markdown": JSONValue(page.markdown)],
      "defaultConfiguration": ["level": page.code.name.hasPrefix("W") ? "warning" : "error"],
    ]
  }

  private func result(_ diagnostic: Diagnostic) -> JSONValue {
    var members = [
      JSONMember("ruleId", JSONValue(diagnostic.code.name)),
      JSONMember("level", JSONValue(diagnostic.severity.rawValue)),
      JSONMember(
        "message", ["text": JSONValue(diagnostic.title + (diagnostic.hint.map { "; \($0)" } ?? ""))]),
    ]
    if let index = DiagnosticPage.all.firstIndex(where: { $0.code == diagnostic.code }) {
      members.insert(JSONMember("ruleIndex", JSONValue(index)), at: 1)
    }
    guard let number = sources.firstIndex(where: { $0.file == diagnostic.file }) else {
      return JSONValue(members)
    }
    let places = diagnostic.labels.enumerated().map { place($0.element, $0.offset, number) }
    members.append(JSONMember("locations", JSONValue(Array(places.prefix(1)))))
    if places.count > 1 {
      members.append(JSONMember("relatedLocations", JSONValue(Array(places.dropFirst()))))
    }
    // A fix without a text change only means that the file must be saved again, so it has no replacement.
    if let fix = diagnostic.fix, fix.span.start < fix.span.end || !fix.replacement.isEmpty {
      members.append(JSONMember("fixes", [change(fix, number)]))
    }
    return JSONValue(members)
  }

  private func place(_ label: Diagnostic.Label, _ index: Int, _ number: Int) -> JSONValue {
    var members = [
      JSONMember(
        "physicalLocation",
        [
          "artifactLocation": artifact(number), "region": region(label.span, number),
        ])
    ]
    if index > 0 { members.insert(JSONMember("id", JSONValue(index)), at: 0) }
    if !label.text.isEmpty { members.append(JSONMember("message", ["text": JSONValue(label.text)])) }
    return JSONValue(members)
  }

  private func change(_ fix: Diagnostic.Fix, _ number: Int) -> JSONValue {
    [
      "description": ["text": JSONValue(fix.title(in: sources[number]))],
      "artifactChanges": [
        [
          "artifactLocation": artifact(number),
          "replacements": [
            [
              "deletedRegion": region(fix.span, number),
              "insertedContent": ["text": JSONValue(fix.replacement)],
            ]
          ],
        ]
      ],
    ]
  }

  private func artifact(_ number: Int) -> JSONValue {
    ["uri": JSONValue(Self.address(of: sources[number].file)), "index": JSONValue(number)]
  }

  private func region(_ span: SourceSpan, _ number: Int) -> JSONValue {
    let start = sources[number].codePointPosition(of: span.start)
    let end = sources[number].codePointPosition(of: max(span.start, span.end))
    return [
      "startLine": JSONValue(start.line), "startColumn": JSONValue(start.column),
      "endLine": JSONValue(end.line),
      "endColumn": JSONValue(end.column),
    ]
  }

  /// Returns a path as a URI reference of RFC 3986: relative for a relative path, `file://` for an absolute
  /// one.
  static func address(of path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF")
    var address = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      if plain.contains(byte) {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        address += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return address
  }
}

extension DiagnosticPage {
  var markdown: String {
    "\(summary)\n\n```stint\n\(wrong)```\n\n\(why)\n\n```stint\n\(right)```\n"
  }
}
