import StintUnits

/// A value with the path that leads to it; every reading that fails is reported and gives nil.
struct JSONField {
  let value: JSONValue
  let path: String
  let findings: JSONFindings

  func report(_ code: FormatError.Code, _ cause: String, step: String = "") {
    findings.report(code, at: value.place, path: path, cause, step: step)
  }

  private func mismatch(_ wanted: String, step: String = "") {
    report(.type, "\(wanted) is expected, and \(value.kind) stands here", step: step)
  }

  func text() -> String? {
    if value.string == nil { mismatch("a text", step: "put it between \"quotes\"") }
    return value.string
  }

  func flag() -> Bool? {
    if value.boolean == nil { mismatch("true or false", step: "write one of them without quotes") }
    return value.boolean
  }

  func number() -> Double? {
    if value.number == nil { mismatch("a number", step: "write it without quotes and unit") }
    return value.number
  }

  /// A whole number within bounds.
  func whole(in range: ClosedRange<Int>) -> Int? {
    guard let number = value.integer else {
      mismatch("a whole number", step: "write it without quotes, fraction and unit")
      return nil
    }
    guard let exact = Int(exactly: number), range.contains(exact) else {
      let bound =
        range.upperBound == .max
        ? "at least \(range.lowerBound)" : "between \(range.lowerBound) and \(range.upperBound)"
      report(.value, "\(number) is out of range", step: "write a number \(bound)")
      return nil
    }
    return exact
  }

  /// A text with a number and a unit of this dimension, as in `"60 mW"`.
  func quantity(_ dimension: Dimension, like example: String) -> Quantity? {
    guard let quantity = quantity(like: example) else { return nil }
    guard quantity.dimension == dimension else {
      report(
        .value,
        "a \(dimension.name) is expected, and “\(value.string ?? "")” is a \(quantity.dimension.name)",
        step: "write it as “\(example)”")
      return nil
    }
    return quantity
  }

  /// A text with a number and any unit.
  func quantity(like example: String) -> Quantity? {
    guard let text = value.string else {
      mismatch("a text with a number and a unit", step: "write it as \"\(example)\"")
      return nil
    }
    do {
      return try Quantity(parsing: text)
    } catch {
      report(.value, error.sentence, step: "write it as “\(example)”")
      return nil
    }
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Word? where Word.RawValue == String {
    guard let text = text() else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    report(
      .unknownName, "“\(Excerpt.text(text))” is not known here",
      step: Spelling.advice(for: text, among: words))
    return nil
  }

  /// The items of a list.
  func items() -> [JSONField]? {
    guard let items = value.items else {
      mismatch("a list", step: "put it between [ and ]")
      return nil
    }
    return items.enumerated().map { index, item in
      JSONField(value: item, path: "\(path)[\(index)]", findings: findings)
    }
  }

  /// An object that has no keys but these.
  func object(keys: [String]) -> JSONObject? {
    guard let object = anyObject() else { return nil }
    object.refuseKeys(except: keys)
    return object
  }

  /// An object whose keys are names of the author's choice.
  func anyObject() -> JSONObject? {
    guard let members = value.members else {
      mismatch("an object", step: "put keys and values between { and }")
      return nil
    }
    return JSONObject(members: members, place: value.place, path: path, findings: findings)
  }
}
