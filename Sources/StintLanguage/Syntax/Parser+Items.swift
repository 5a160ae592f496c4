import StintUnits

extension Parser {
  private static let itemWords = Set(LanguageDefinition.itemNames)

  mutating func file() -> PolicyFile {
    var file = PolicyFile(name: nil, version: nil, items: [], comments: [])
    header(&file)
    while token.kind != .end {
      isLost = false
      if token.kind == .word, Self.itemWords.contains(text(token)) {
        file.items.append(item())
      } else {
        reportExpected("an item, as in use, let or rule", among: Self.itemWords)
        advance()
      }
      if isLost { skipToItem() }
    }
    return file
  }

  private var nearestItem: String? {
    guard token.kind == .word else { return nil }
    return Suggestion.nearest(to: text(token), in: Self.itemWords)
  }

  private mutating func header(_ file: inout PolicyFile) {
    // Characters that have been reported, also invisible characters, may precede the header.
    while token.kind == .strange { advance() }
    guard consume(word: "policy") else {
      let span = token.kind == .end ? SourceSpan(start: 0, end: 0) : token.span
      report(
        .missingPolicy,
        token.kind == .end ? "the file contains no policy" : "a policy file begins with policy \"name\"",
        span,
        hint: "begin it with: policy \"my-policy\" version 1")
      if token.kind != .word || !Self.itemWords.contains(text(token)) { skipToItem() }
      return
    }
    if token.kind == .string {
      file.name = string("the policy's name in quotes")
    } else {
      reportExpected("the policy's name in quotes")
      if token.kind == .word, !Self.itemWords.contains(text(token)), text(token) != "version" { advance() }
      isLost = false
    }
    if consume(word: "version") {
      guard token.kind == .number, let value = Double(text(token)), value == value.rounded(), value < 1e9
      else {
        reportExpected("an integer")
        skipToItem()
        return
      }
      file.version = NumberLiteral(value: value, span: token.span)
      advance()
    }
  }

  /// Skips to the next keyword that begins an item. The keyword is in the first column, or at the beginning
  /// of a line outside braces. Outside braces, a probably misspelt keyword in the first column also ends the
  /// skip.
  mutating func skipToItem() {
    var level = 0
    while token.kind != .end {
      if token.isSymbol(.openBrace) { level += 1 }
      if token.isSymbol(.closeBrace) { level = max(0, level - 1) }
      if token.kind == .word, token.isFirstOnLine, Self.itemWords.contains(text(token)),
        level == 0 || isTopLevel
      {
        break
      }
      if level == 0, isMisspelledItem { break }
      advance()
    }
    isLost = false
  }

  /// True when the current token begins an item, and therefore does not continue the previous line.
  var beginsItem: Bool {
    token.kind == .word && token.isFirstOnLine && Self.itemWords.contains(text(token)) && isTopLevel
  }

  /// True when the current token is probably a misspelt item keyword; skipping it would hide the mistake.
  private var isMisspelledItem: Bool {
    token.kind == .word && token.isFirstOnLine && isTopLevel && nearestItem != nil
  }

  /// True in the first column, where a word begins an item even when earlier braces are open.
  private var isTopLevel: Bool { source.position(of: token.span.start).column == 1 }

  private mutating func item() -> PolicyItem {
    let start = token.span.start
    let word = text(token)
    advance()
    switch word {
    case "use": return .use(use(start))
    case "let": return .let(letItem(start))
    case "param": return .parameter(parameter(start))
    case "schedule": return .schedule(schedule(start))
    case "default": return .default(defaultItem(start))
    case "zone": return .zone(zone(start))
    case "machine": return .machine(machine(start))
    case "budget": return .budget(budget(start))
    case "require": return .require(RequireItem(condition: expression(), span: span(from: start)))
    case "test": return .test(test(start))
    default: return .rule(rule(start))
    }
  }

  private mutating func use(_ start: Int) -> UseItem {
    let path = devicePattern()
    let condition = consume(word: "where") ? expression() : nil
    expect(word: "as")
    let alias = name("a short name for the device")
    let isRequired = consume(word: "required")
    return UseItem(
      path: path, condition: condition, alias: alias, isRequired: isRequired, span: span(from: start))
  }

  private mutating func letItem(_ start: Int) -> LetItem {
    let name = name("a name")
    expect(.assign)
    let value = expression()
    return LetItem(name: name, value: value, span: span(from: start))
  }

  private mutating func parameter(_ start: Int) -> ParameterItem {
    let name = name("a name")
    expect(.assign)
    let value = quantity("a quantity", isLiteral: true)
    expect(word: "in")
    let low = quantity("the lowest value", isLiteral: true)
    expect(.range)
    let high = quantity("the highest value", isLiteral: true)
    return ParameterItem(name: name, value: value, low: low, high: high, span: span(from: start))
  }

  private mutating func schedule(_ start: Int) -> ScheduleItem {
    let name = name("a name")
    expect(.assign)
    var windows: [ScheduleItem.Window] = []
    repeat {
      var days: [Name] = []
      while token.kind == .word {
        days.append(self.name("a day"))
        if token.isSymbol(.comma), ahead.kind == .word { advance() } else { break }
      }
      let from = clock()
      expect(.range)
      windows.append(ScheduleItem.Window(days: days, from: from, to: clock()))
    } while !isLost && consume(.comma)
    return ScheduleItem(name: name, windows: windows, span: span(from: start))
  }

  mutating func clock() -> ClockLiteral {
    guard token.kind == .clock else {
      reportExpected("a time of day, as in 22:30")
      return ClockLiteral(time: nil, span: token.span)
    }
    let parts = text(token).split(separator: ":").compactMap { Int64($0) }
    var literal = ClockLiteral(time: nil, span: token.span)
    let isSound = parts.count == 2 && parts[1] < 60 && (parts[0] < 24 || (parts[0] == 24 && parts[1] == 0))
    if isSound {
      literal.time = .minutes(parts[0] * 60 + parts[1])
    } else {
      report(
        .badNumber, "this time of day does not exist", token.span,
        hint: "hours are 00 to 24, minutes 00 to 59")
      isLost = false
    }
    advance()
    return literal
  }

  private mutating func defaultItem(_ start: Int) -> DefaultItem {
    let target = path("a device")
    let settings = settings()
    return DefaultItem(target: target, settings: settings, span: span(from: start))
  }

  /// Parses settings in braces: `{ accuracy 10 m  activity fitness }`.
  mutating func settings() -> [SettingEntry] {
    var entries: [SettingEntry] = []
    let open = token.span
    guard expect(.openBrace) else { return [] }
    while !isLost, !token.isSymbol(.closeBrace) {
      guard token.kind != .end else {
        report(.unclosedBlock, "this block is never closed", open, hint: "close it with }")
        return entries
      }
      let name = name("a setting or }")
      guard !isLost else { return entries }
      entries.append(SettingEntry(name: name, value: value("a value for “\(name.text)”")))
    }
    expect(.closeBrace)
    return entries
  }
}
