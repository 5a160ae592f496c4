import StintUnits

extension Parser {
  /// Returns the diagnostic for a file that is longer than `SourceText.maxBytes`; nil for shorter files.
  static func tooLong(_ source: SourceText) -> Diagnostic? {
    guard source.isCut else { return nil }
    let end = SourceSpan(start: source.bytes.count, end: source.bytes.count)
    return Diagnostic(
      .tooLong, "a policy file has at most \(SourceText.maxBytes >> 20) MiB, and this one is longer",
      file: source.file, labels: [Diagnostic.Label(span: end, text: "the end of the first 4 MiB")],
      hint: "split the policy into several files")
  }

  /// Returns the problem of a file that is not text, such as a program; nil for text. Such a file gets no
  /// other problem, because its content is not a policy.
  static func notText(_ source: SourceText) -> Diagnostic? {
    func problem(_ title: String, _ offset: Int, count: Int, _ hint: String) -> Diagnostic {
      let span = SourceSpan(start: offset, end: offset + count)
      return Diagnostic(
        .invalidEncoding, title, file: source.file, labels: [Diagnostic.Label(span: span, text: "")],
        hint: hint)
    }
    let control = PlainText.controlCharacter(in: source.bytes)
    if let invalid = source.invalidOffsets.first, invalid < control ?? .max {
      return problem(
        "this is not a text file: it is not UTF-8 from here on", invalid, count: 3, "save it as UTF-8")
    }
    return control.map { offset in
      problem(
        PlainText.cause(control: source.bytes[offset]), offset, count: 1,
        "save it as UTF-8 without control characters")
    }
  }

  /// Reports an encoding other than UTF-8.
  mutating func reportEncoding() {
    guard source.wasWide else { return }
    let start = SourceSpan(start: 0, end: 0)
    // The text has been decoded already, so saving it again corrects the file.
    report(
      .invalidEncoding, "the file is UTF-16, and policies are UTF-8", start, hint: "save it as UTF-8",
      fix: Diagnostic.Fix(span: start, replacement: ""))
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

  /// Reports an unexpected token, and suggests the nearest of the expected words if this word is near enough.
  mutating func reportExpected(
    _ what: String, among words: some Collection<String>, else fallback: String? = nil
  ) {
    guard !isLost, diagnostics.count < Self.maxProblems else { return reportExpected(what) }
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
    // The lexer has already reported the characters of this token.
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
    case .string: "a string"
    default: "“\(text(token).prefix(40))”"
    }
  }

  /// Hints for words of other languages: the corresponding construct in a policy.
  private static let otherLanguages: [String: String] = [
    "if": "write “while” for the time a condition is true, and “when” for each time it becomes true",
    "on": "write “when” for a rule that acts each time a condition becomes true",
    "unless": "write: while not …",
    "forever": "write “always” for a rule that is always active", "var": "names are given with let",
    "const": "names are given with let", "define": "names are given with let",
    "set": "names are given with let",
    "parameter": "an adjustable value is declared with param", "import": "a device is named with use",
    "include": "no line is needed: name all policy files in the same command",
    "device": "a device is named with use",
    "function": "conditions are named with let",
    "disable": "to switch a device off, write stop", "off": "to switch a device off, write stop",
    "turn": "to switch a device, write start or stop", "switch": "to switch a device, write start or stop",
    "enable": "to switch a device on, write start", "activate": "to switch a device on, write start",
    "suspend": "to pause a device for a while, write pause",
    "sleep": "to pause a device for a while, write pause",
    "limit": "to limit a device, write downgrade",
    "reduce": "to limit a device, write downgrade",
    "throttle": "to limit a device, write downgrade",
    "lower": "to limit a device, write downgrade",
    "delay": "to delay work, write defer", "postpone": "to delay work, write defer",
    "buffer": "to collect samples, write batch", "collect": "to collect samples, write batch",
    "send": "to deliver collected samples, write flush",
    "sync": "to deliver collected samples, write flush",
    "notify": "to send a message to a client, write tell", "raise": "to raise an event, write emit",
  ]
}
