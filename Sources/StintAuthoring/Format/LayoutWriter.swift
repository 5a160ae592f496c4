import StintLanguage

/// Writes tokens with their planned gaps, and comments at their original positions.
struct LayoutWriter {
  private let source: SourceText
  private let tokens: [Token]
  private let gaps: [Gap]
  private let comments: [Comment]
  /// The index of the first comment that is not yet written.
  private var nextComment = 0
  private var output: [UInt8] = []
  /// The end offset, in the source, of the last token or comment that was written.
  private var lastEnd = 0
  private var line = LogicalLine()

  init(_ source: SourceText, _ tokens: [Token], _ gaps: [Gap], _ comments: [Comment]) {
    self.source = source
    self.tokens = tokens
    self.gaps = gaps
    self.comments = comments
  }

  mutating func write() -> String {
    for index in tokens.indices {
      if beginsLine(index) { line = logicalLine(from: index) }
      writeGap(before: index)
      output += source.bytes[tokens[index].span.start..<tokens[index].span.end]
      lastEnd = tokens[index].span.end
    }
    _ = writeComments(until: .max, indent: 0, .kept)
    output.append(0x0A)
    return String(decoding: output, as: UTF8.self)
  }

  // MARK: Lines

  /// The layout of the tokens of one line; the line can be broken into several lines.
  private struct LogicalLine {
    var indent = 0
    /// Soft gaps up to this level become line breaks; -1 when the line is not broken.
    var brokenLevel = -1
    var areSettingsBroken = false
  }

  private func beginsLine(_ index: Int) -> Bool {
    switch gaps[index] {
    case .line, .closing: true
    case .none, .spaces, .soft, .setting, .endOfSettings: index == 0
    }
  }

  /// Measures the line that begins at a token, and decides which gaps become line breaks.
  private func logicalLine(from start: Int) -> LogicalLine {
    var line = LogicalLine()
    switch gaps[start] {
    case .line(let indent, _), .closing(let indent): line.indent = indent
    case .none, .spaces, .soft, .setting, .endOfSettings: break
    }
    var width = line.indent
    var lowest: Int?
    var comment = nextComment
    var index = start
    repeat {
      width += source.text(of: tokens[index].span).count
      if index > start { width += flatWidth(gaps[index]) }
      if case .soft(let level) = gaps[index] { lowest = min(lowest ?? level, level) }
      if isInSettings(index), mustBreak(before: index, comment: &comment) { line.areSettingsBroken = true }
      index += 1
    } while index < tokens.count && !beginsLine(index)
    guard width > Formatter.width else { return line }
    line.areSettingsBroken = true
    line.brokenLevel = lowest ?? -1
    return line
  }

  private func flatWidth(_ gap: Gap) -> Int {
    switch gap {
    case .spaces(let count): count
    case .soft, .endOfSettings: 1
    case .setting(let isFirst): isFirst ? 1 : 2
    case .none, .line, .closing: 0
    }
  }

  private func isInSettings(_ index: Int) -> Bool {
    switch gaps[index] {
    case .setting, .endOfSettings: true
    case .none, .spaces, .soft, .line, .closing: false
    }
  }

  /// Returns true when the setting needs a new line, because a comment or a number without a unit precedes
  /// it.
  ///
  /// On the same line, the name of the setting would be read as the unit of that number.
  private func mustBreak(before index: Int, comment: inout Int) -> Bool {
    let previous = index > 0 ? tokens[index - 1] : tokens[index]
    while comment < comments.count, comments[comment].span.start < previous.span.end { comment += 1 }
    if comment < comments.count, comments[comment].span.start < tokens[index].span.start { return true }
    return previous.kind == .number
  }

  // MARK: Gaps

  private mutating func writeGap(before index: Int) {
    let gap = gaps[index]
    let start = tokens[index].span.start
    let followsBrace = index > 0 && tokens[index - 1].isSymbol(.openBrace)
    switch gap {
    case .line(let indent, let emptyLine):
      let rule: Gap.EmptyLine = followsBrace ? .never : emptyLine
      let hadOwnLines = writeComments(until: start, indent: indent, rule)
      guard !output.isEmpty else { return }
      newLine(indent, needsEmptyLine(hadOwnLines && rule == .always ? .kept : rule, before: start))
    case .closing(let indent):
      if followsBrace, !hasComments(before: start) { return }
      _ = writeComments(until: start, indent: indent + 2, followsBrace ? .never : .kept)
      newLine(indent, false)
    case .setting, .endOfSettings:
      let isEnd = gap == .endOfSettings
      guard line.areSettingsBroken else { return spaces(flatWidth(gap)) }
      _ = writeComments(until: start, indent: line.indent + 2, .never)
      newLine(line.indent + (isEnd ? 0 : 2), false)
    case .none: writeWithin(index, isBroken: false, spaces: 0)
    case .spaces(let count): writeWithin(index, isBroken: false, spaces: count)
    case .soft(let level): writeWithin(index, isBroken: level <= line.brokenLevel, spaces: 1)
    }
  }

  /// Writes a gap within a line. A comment in the gap ends the line, even when no line break is planned.
  private mutating func writeWithin(_ index: Int, isBroken: Bool, spaces count: Int) {
    let start = tokens[index].span.start
    let indent = line.indent + 4
    if hasComments(before: start) {
      _ = writeComments(until: start, indent: indent, .never)
      if index > 0 { newLine(indent, false) }
    } else if isBroken {
      newLine(indent, false)
    } else {
      spaces(count)
    }
  }

  private func hasComments(before offset: Int) -> Bool {
    nextComment < comments.count && comments[nextComment].span.start < offset
  }

  /// Writes the comments before an offset. Returns true when one of them is on a separate line.
  private mutating func writeComments(until offset: Int, indent: Int, _ emptyLine: Gap.EmptyLine) -> Bool {
    var hadOwnLines = false
    while hasComments(before: offset) {
      let comment = comments[nextComment]
      nextComment += 1
      if comment.isOwnLine {
        let rule: Gap.EmptyLine = hadOwnLines ? .kept : emptyLine
        if !output.isEmpty { newLine(indent, needsEmptyLine(rule, before: comment.span.start)) }
        hadOwnLines = true
      } else {
        spaces(2)
      }
      output += trimmed(source.bytes[comment.span.start..<comment.span.end])
      lastEnd = comment.span.end
    }
    return hadOwnLines
  }

  private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result = bytes
    while let last = result.last, [0x20, 0x09, 0x0D].contains(last) { result = result.dropLast() }
    return result
  }

  private func needsEmptyLine(_ rule: Gap.EmptyLine, before offset: Int) -> Bool {
    switch rule {
    case .always: true
    case .never: false
    case .kept: source.bytes[lastEnd..<max(lastEnd, offset)].count { $0 == 0x0A } > 1
    }
  }

  private mutating func newLine(_ indent: Int, _ isEmpty: Bool) {
    output.append(0x0A)
    if isEmpty { output.append(0x0A) }
    spaces(indent)
  }

  private mutating func spaces(_ count: Int) {
    output.append(contentsOf: repeatElement(0x20, count: count))
  }
}
