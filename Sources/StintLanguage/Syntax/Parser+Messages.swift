extension Parser {
  /// The diagnostic for a file that is longer than `SourceText.mostBytes`; nil when it is not.
  static func tooLong(_ source: SourceText) -> Diagnostic? {
    guard source.isCut else { return nil }
    let end = SourceSpan(start: source.bytes.count, end: source.bytes.count)
    return Diagnostic(
      .tooLong, "a policy file has at most \(SourceText.mostBytes >> 20) MiB, and this one has more",
      file: source.file, labels: [Diagnostic.Label(span: end, text: "this is how far it may go")],
      hint: "is it a policy? If so, make several files of it")
  }

  /// What is wrong with the bytes, whatever they say.
  mutating func reportEncoding() {
    let start = SourceSpan(start: 0, end: 0)
    if source.wasWide {
      // Writing it again is all that it takes: the text has been read already.
      report(
        .invalidEncoding, "the file is UTF-16, and policies are UTF-8", start, hint: "save it as UTF-8",
        fix: Diagnostic.Fix(span: start, replacement: ""))
    } else if let offset = source.invalidOffsets.first {
      report(
        .invalidEncoding, "the file is not UTF-8 from here on", SourceSpan(start: offset, end: offset + 3),
        hint: "save it as UTF-8")
    }
    isLost = false
  }

  @discardableResult
  mutating func expect(word: String) -> Bool {
    if consume(word: word) { return true }
    if token.kind == .word, Suggestion.nearest(to: text(token), in: [word]) != nil {
      reportExpected("“\(word)”", meant: word)
    } else if token.kind == .end || token.isFirstOnLine || token.isSymbol(.closeBrace) {
      reportExpected("“\(word)”")
    } else {
      let gap = SourceSpan(start: token.span.start, end: token.span.start)
      reportExpected(
        "“\(word)”", hint: "put “\(word)” before it", fix: Diagnostic.Fix(span: gap, replacement: word + " "))
    }
    return false
  }

  /// Reports the word in hand as a misspelling of the nearest of some words, or as none of them.
  mutating func reportExpected(
    _ what: String, among words: some Collection<String>, else fallback: String? = nil
  ) {
    guard !isLost, diagnostics.count < Self.mostProblems else { return reportExpected(what) }
    let word = token.kind == .word ? text(token) : ""
    if let nearest = Suggestion.nearest(to: word, in: words) {
      reportExpected(what, meant: nearest)
    } else {
      reportExpected(what, hint: Self.otherLanguages[word.lowercased()] ?? fallback)
    }
  }

  private mutating func reportExpected(_ what: String, meant word: String) {
    reportExpected(
      what, hint: "did you mean “\(word)”?", fix: Diagnostic.Fix(span: token.span, replacement: word))
  }

  mutating func reportExpected(_ what: String, hint: String? = nil, fix: Diagnostic.Fix? = nil) {
    // What the lexer could not use has been reported as that.
    if token.kind == .strange || (token.kind == .word && !source.isASCII(token.span)) {
      isLost = true
      return
    }
    if token.isSymbol(.slash), ahead.isSymbol(.slash), ahead.span.start == token.span.end {
      let span = SourceSpan(start: token.span.start, end: ahead.span.end)
      report(
        .unexpected, "expected \(what), found “//”", span, hint: "comments begin with #",
        fix: Diagnostic.Fix(span: span, replacement: "#"))
      return
    }
    report(.unexpected, "expected \(what), found \(found)", token.span, hint: hint, fix: fix)
  }

  var found: String {
    switch token.kind {
    case .end: "the end of the file"
    case .string: "a text"
    default: "“\(text(token).prefix(40))”"
    }
  }

  /// What people write who know other languages, and what it is called here.
  private static let otherLanguages: [String: String] = [
    "if": "a rule begins with “while” as long as something holds, and with “when” each time it begins to",
    "on": "a rule begins with “when” each time something begins to hold", "unless": "write: while not …",
    "forever": "a rule that always holds says “always”", "var": "names are given with let",
    "const": "names are given with let", "define": "names are given with let",
    "set": "names are given with let",
    "parameter": "an adjustable value is declared with param", "import": "a device is named with use",
    "include": "policies that belong together are loaded together", "device": "a device is named with use",
    "function": "conditions are named with let",
    "disable": "to switch a device off, write stop", "off": "to switch a device off, write stop",
    "turn": "to switch a device, write start or stop", "switch": "to switch a device, write start or stop",
    "enable": "to switch a device on, write start", "activate": "to switch a device on, write start",
    "suspend": "to rest a device for a while, write pause",
    "sleep": "to rest a device for a while, write pause",
    "limit": "to ask for less of a device, write downgrade",
    "reduce": "to ask for less of a device, write downgrade",
    "throttle": "to ask for less of a device, write downgrade",
    "lower": "to ask for less of a device, write downgrade",
    "delay": "to let work wait, write defer", "postpone": "to let work wait, write defer",
    "buffer": "to collect samples, write batch", "collect": "to collect samples, write batch",
    "send": "to hand over what was collected, write flush",
    "sync": "to hand over what was collected, write flush",
    "notify": "to say something to a client, write tell", "raise": "to raise an event, write emit",
  ]
}
