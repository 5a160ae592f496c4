import StintModel
import StintUnits

extension PolicyChecker {
  mutating func compare(
    _ comparison: Comparison, _ left: SyntaxExpression, _ right: SyntaxExpression, _ span: SourceSpan
  ) -> CheckedExpression? {
    if let age = age(comparison, left, right, span) { return age.checked }
    if let named = named(comparison, left, right, span) { return named.checked }
    guard let checkedLeft = expression(left) else {
      _ = expression(right)
      return nil
    }
    if case .symbol(let words) = checkedLeft.type, !checkedLeft.isAnything {
      return equality(comparison, checkedLeft, left, right, words, span)
    }
    guard let checkedRight = expression(right) else { return nil }
    guard agree(checkedLeft, left, checkedRight, right) else { return nil }
    if checkedLeft.isAnything || checkedRight.isAnything { return .unknown(.boolean, span) }
    if checkedLeft.type == .boolean, comparison != .equal, comparison != .notEqual {
      report(
        .typeMismatch, "“\(comparison.rawValue)” orders numbers, and these values are true or false",
        left.span,
        label: checkedLeft.type.phrase, others: [checkedRight.label(right.span)], hint: "use == or !=")
      return nil
    }
    return CheckedExpression(
      kind: .compare(comparison, checkedLeft, checkedRight), type: .boolean, span: span)
  }

  /// Checks an equality with a symbol, such as `motion.activity == walking`.
  private mutating func equality(
    _ comparison: Comparison, _ left: CheckedExpression, _ leftSyntax: SyntaxExpression,
    _ right: SyntaxExpression, _ words: [String], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard comparison == .equal || comparison == .notEqual else {
      report(
        .typeMismatch,
        "“\(comparison.rawValue)” orders numbers, and “\(source.text(of: leftSyntax.span))” is a word",
        leftSyntax.span, label: left.type.phrase, hint: "use == or !=, is or in")
      return nil
    }
    let word: Name
    switch right.kind {
    case .path(let name): word = name
    case .string(let literal): word = Name(text: literal.text, span: literal.span)
    default:
      guard let other = expression(right) else { return nil }
      report(
        .typeMismatch, "a word cannot be compared with \(other.type.phrase)", right.span,
        label: other.type.phrase, others: [left.label(leftSyntax.span)],
        hint: "compare it with one of its words, as in: is \(words.first ?? "still")")
      return nil
    }
    guard let index = index(of: word, among: words, of: leftSyntax) else { return nil }
    let match = CheckedExpression(kind: .oneOf(left, [.symbol(index)]), type: .boolean, span: span)
    return comparison == .equal ? match : CheckedExpression(kind: .not(match), type: .boolean, span: span)
  }

  private mutating func index(of word: Name, among words: [String], of operand: SyntaxExpression) -> Int? {
    if let index = words.firstIndex(of: word.text) { return index }
    let what = source.text(of: operand.span)
    reportUnknown(
      .unknownWord, "“\(what)” is never “\(word.text)”", word.span, word.text, among: words,
      else: "it is one of \(words.joined(separator: ", "))")
    return nil
  }

  /// Checks `x is a` and `x in [a, b]`.
  mutating func words(_ operand: SyntaxExpression, _ list: [Name], _ span: SourceSpan) -> CheckedExpression? {
    // The parser has reported a missing word.
    if list.contains(where: { $0.text.isEmpty && !$0.isText }) { return nil }
    if let named = named(operand, among: list, span) { return named.checked }
    guard let checked = expression(operand) else { return nil }
    if checked.isAnything {
      return .unknown(.boolean, span)
    }
    guard case .symbol(let words) = checked.type else {
      let text = source.text(of: operand.span)
      report(
        .typeMismatch, "“\(text)” is \(checked.type.phrase), and not a word", operand.span,
        label: checked.type.phrase, others: list.map { Diagnostic.Label(span: $0.span, text: "a word") },
        hint: checked.type == .boolean
          ? "write it alone, or with “not” before it"
          : "compare it with a quantity, as in: \(text) < \(checked.type.example)")
      return nil
    }
    let values = list.compactMap { index(of: $0, among: words, of: operand).map(FactValue.symbol) }
    guard values.count == list.count else { return nil }
    return CheckedExpression(kind: .oneOf(checked, values), type: .boolean, span: span)
  }

  /// Checks `time in night`.
  mutating func schedule(_ operand: SyntaxExpression, _ name: Name, _ span: SourceSpan) -> CheckedExpression?
  {
    guard !name.text.isEmpty else { return nil }
    guard case .path(let path) = operand.kind, path.text == "time" else {
      report(
        .typeMismatch, "only “time” can be in a schedule", operand.span,
        hint: "write a list of words in brackets, as in: in [walking, running]")
      return nil
    }
    guard let index = schedules[name.text] else {
      reportUnknown(
        .unknownName, "no schedule is called “\(name.text)”", name.span, name.text,
        among: schedules.keys.sorted(),
        else: "declare it: schedule \(name.text) = 22:00..06:00")
      return nil
    }
    used.insert(name.text)
    return CheckedExpression(kind: .inSchedule(index), type: .boolean, span: span)
  }

  mutating func latch(
    _ side: LatchSide, _ value: SyntaxExpression, _ threshold: SyntaxExpression, _ release: SyntaxExpression?,
    _ span: SourceSpan
  ) -> CheckedExpression? {
    let checkedValue = expression(value)
    let checkedThreshold = expression(threshold)
    let checkedRelease = release.map { expression($0) }
    guard let checkedValue, let checkedThreshold, agree(checkedValue, value, checkedThreshold, threshold),
      isNumber(checkedValue, value)
    else { return nil }
    if checkedValue.isAnything || checkedThreshold.isAnything { return .unknown(.boolean, span) }
    guard let release else {
      let comparison: Comparison = side == .below ? .less : .greater
      return CheckedExpression(
        kind: .compare(comparison, checkedValue, checkedThreshold), type: .boolean, span: span)
    }
    guard let checkedRelease = checkedRelease ?? nil, agree(checkedValue, value, checkedRelease, release)
    else {
      return nil
    }
    if let limit = checkedThreshold.constantNumber, let end = checkedRelease.constantNumber,
      side == .below ? end < limit : end > limit
    {
      let (first, second) = (source.text(of: release.span), source.text(of: threshold.span))
      report(
        .wrongRelease, "this release is on the wrong side of its threshold", release.span,
        label: "the release",
        others: [Diagnostic.Label(span: threshold.span, text: "the threshold")],
        hint: side == .below
          ? "“below” needs a release above its threshold; did you mean “below \(first) release \(second)”?"
          : "“above” needs a release below its threshold; did you mean “above \(first) release \(second)”?")
      return nil
    }
    return CheckedExpression(
      kind: .latch(side, value: checkedValue, threshold: checkedThreshold, release: checkedRelease),
      type: .boolean,
      span: span)
  }

  /// Checks `x between low and high`, which becomes `x >= low and x <= high`.
  mutating func between(
    _ value: SyntaxExpression, _ low: SyntaxExpression, _ high: SyntaxExpression, _ span: SourceSpan
  ) -> CheckedExpression? {
    guard let isAbove = compare(.greaterOrEqual, value, low, span) else {
      _ = expression(high)
      return nil
    }
    guard let isBelow = compare(.lessOrEqual, value, high, span) else { return nil }
    if case .compare(_, _, let least) = isAbove.kind, case .compare(_, _, let most) = isBelow.kind,
      let least = least.constantNumber, let most = most.constantNumber, least > most
    {
      let (first, second) = (source.text(of: low.span), source.text(of: high.span))
      report(
        .outOfRange, "no value lies between “\(first)” and “\(second)”", high.span,
        others: [Diagnostic.Label(span: low.span, text: "more than the upper limit")],
        hint: "write the lower limit first: between \(second) and \(first)",
        fix: Diagnostic.Fix(
          span: SourceSpan(start: low.span.start, end: high.span.end), replacement: "\(second) and \(first)"))
      return nil
    }
    return CheckedExpression(kind: .and([isAbove, isBelow]), type: .boolean, span: span)
  }

  /// Checks `clamp(x, low, high)`, which becomes the smaller of `high` and the larger of `x` and `low`.
  mutating func clamp(_ call: FunctionDefinition.Call) -> CheckedExpression? {
    guard call.arguments.count == 3 else {
      report(
        .badArguments, "“clamp” takes a value and two limits", call.span,
        hint: "as in: clamp(gps.speed, 1 m/s, 5 m/s)")
      return nil
    }
    let parts = call.arguments.map { ($0, expression($0)) }
    var checked: [CheckedExpression] = []
    for (syntax, part) in parts {
      guard let part, isNumber(part, syntax) else { return nil }
      if let first = checked.first, !agree(first, parts[0].0, part, syntax) { return nil }
      checked.append(part)
    }
    if let low = checked[1].constantNumber, let high = checked[2].constantNumber, low > high {
      report(
        .badArguments, "the low limit of “clamp” is more than the high one", parts[1].0.span,
        others: [Diagnostic.Label(span: parts[2].0.span, text: "the high limit")],
        hint: "write the value first, then the low limit, then the high limit")
      return nil
    }
    if checked.contains(where: \.isAnything) { return .unknown(.anything, call.span) }
    let type = checked[0].type
    func join(_ operation: Arithmetic, _ left: CheckedExpression, _ right: CheckedExpression)
      -> CheckedExpression
    {
      CheckedExpression(kind: .arithmetic(operation, left, right), type: type, span: call.span)
    }
    let raised = join(.larger, checked[0], checked[1])
    return join(
      .smaller, checked.allSatisfy { $0.constantNumber != nil } ? raised.folded : raised, checked[2]
    )
    .folded
  }

  private mutating func isNumber(_ checked: CheckedExpression, _ syntax: SyntaxExpression) -> Bool {
    if case .quantity = checked.type { return true }
    if checked.isAnything { return true }
    report(
      .typeMismatch, "expected a number, found “\(source.text(of: syntax.span))”", syntax.span,
      label: checked.type.phrase)
    return false
  }

  mutating func negation(_ operand: SyntaxExpression, _ span: SourceSpan) -> CheckedExpression? {
    guard let checked = expression(operand), isNumber(checked, operand) else { return nil }
    if let value = checked.constantNumber {
      return CheckedExpression(kind: .constant(.number(-value)), type: checked.type, span: span)
    }
    return CheckedExpression(kind: .negate(checked), type: checked.type, span: span)
  }

  mutating func arithmetic(
    _ operation: Arithmetic, _ left: SyntaxExpression, _ right: SyntaxExpression, _ span: SourceSpan
  ) -> CheckedExpression? {
    let checkedLeft = expression(left)
    let checkedRight = expression(right)
    guard let checkedLeft, let checkedRight, isNumber(checkedLeft, left), isNumber(checkedRight, right) else {
      return nil
    }
    if checkedLeft.isAnything || checkedRight.isAnything { return .unknown(.anything, span) }
    var type = checkedLeft.type
    switch operation {
    case .add, .subtract, .larger, .smaller:
      guard agree(checkedLeft, left, checkedRight, right) else { return nil }
    case .multiply, .divide:
      if operation == .divide, checkedRight.constantNumber == 0 {
        report(.divisionByZero, "this divides by zero", right.span)
        return nil
      }
      if case .quantity(let first) = checkedLeft.type, case .quantity(let second) = checkedRight.type {
        let isScaling = first == .ratio && second == .none
        type =
          isScaling ? .quantity(.ratio) : .quantity(operation == .multiply ? first * second : first / second)
      }
    }
    return CheckedExpression(
      kind: .arithmetic(operation, checkedLeft, checkedRight), type: type, span: span
    ).folded
  }

  /// Returns true when both operands have the same type, or when an operand reads a missing device. Otherwise
  /// reports the difference, at the constant when one operand is a constant.
  private mutating func agree(
    _ left: CheckedExpression, _ leftSyntax: SyntaxExpression, _ right: CheckedExpression,
    _ rightSyntax: SyntaxExpression
  ) -> Bool {
    if left.isAnything || right.isAnything || left.type == right.type { return true }
    guard case .quantity(let first) = left.type, case .quantity(let second) = right.type else {
      reportDifferent(left, leftSyntax, right, rightSyntax)
      return false
    }
    guard (left.constantNumber == nil) != (right.constantNumber == nil) else {
      report(
        .wrongUnit, "\(first.phrase) and \(second.phrase) cannot be combined", rightSyntax.span,
        label: second.phrase, others: [left.label(leftSyntax.span)])
      return false
    }
    let isLeftConstant = left.constantNumber != nil
    let (wrong, other) =
      isLeftConstant ? (leftSyntax.span, rightSyntax.span) : (rightSyntax.span, leftSyntax.span)
    reportWrongUnit(
      wrong,
      found: Quantity((isLeftConstant ? left : right).constantNumber ?? 0, isLeftConstant ? first : second),
      expected: isLeftConstant ? second : first, what: "“\(source.text(of: other))”",
      others: [(isLeftConstant ? right : left).label(other)])
    return false
  }

  /// Reports that two values of different types cannot be compared. The hint states how a Boolean value or a
  /// word can be used instead.
  private mutating func reportDifferent(
    _ left: CheckedExpression, _ leftSyntax: SyntaxExpression, _ right: CheckedExpression,
    _ rightSyntax: SyntaxExpression
  ) {
    let hint: String? =
      switch (left.type, right.type) {
      case (.boolean, .quantity), (.boolean, .symbol):
        "write “\(source.text(of: leftSyntax.span))” alone, or after “not”"
      case (.quantity, .boolean), (.symbol, .boolean):
        "write “\(source.text(of: rightSyntax.span))” alone, or after “not”"
      case (.quantity, .symbol): "compare words with “is” or “in”"
      default: nil
      }
    report(
      .typeMismatch, "these two values cannot be compared", rightSyntax.span, label: right.type.phrase,
      others: [left.label(leftSyntax.span)], hint: hint)
  }
}

extension CheckedExpression {
  /// The constant number of the expression; nil when it is not a constant number.
  var constantNumber: Double? {
    if case .constant(.number(let number)) = kind { number } else { nil }
  }

  /// The value of the expression when it is arithmetic of two constants with a finite result; otherwise the
  /// expression itself.
  var folded: CheckedExpression {
    guard case .arithmetic(let operation, let left, let right) = kind, let first = left.constantNumber,
      let second = right.constantNumber
    else { return self }
    let result = operation.apply(first, second)
    return result.isFinite
      ? CheckedExpression(kind: .constant(.number(result)), type: type, span: span) : self
  }
}
