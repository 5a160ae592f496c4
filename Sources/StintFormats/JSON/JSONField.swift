import StintModel
import StintUnits

/// A value with its path in the file.
///
/// A failed conversion is reported and returns nil. The exceptions are `power()` and `energy()`: for a
/// quantity out of range, they return 0 or the bound, so that later checks still run.
struct JSONField {
  let value: JSONValue
  let path: String
  let findings: JSONFindings

  func report(_ code: Problem.Code, _ cause: String, remedy: String = "") {
    findings.report(code, at: value.place, path: path, cause, remedy: remedy)
  }

  private func mismatch(_ wanted: String, remedy: String = "") {
    report(.type, "expected \(wanted), found \(value.kind)", remedy: remedy)
  }

  func text() -> String? {
    if value.string == nil { mismatch("a string", remedy: "put it between \"quotes\"") }
    return value.string
  }

  /// Returns a name for reports: one line without control characters, not empty.
  func name() -> String? {
    guard let text = text() else { return nil }
    guard let reason = InputBounds.rejectionReason(forName: text) else { return text }
    report(.value, reason, remedy: "")
    return nil
  }

  func identity() -> String? {
    guard let text = text() else { return nil }
    guard let reason = InputBounds.rejectionReason(forIdentity: text) else { return text }
    report(.value, reason, remedy: "write an identity such as f7826da6")
    return nil
  }

  func flag() -> Bool? {
    if value.boolean == nil { mismatch("true or false", remedy: "write one of them without quotes") }
    return value.boolean
  }

  func number() -> Double? {
    if value.number == nil { mismatch("a number", remedy: "write it without quotes and unit") }
    return value.number
  }

  /// Returns an integer within `range`.
  func integer(in range: ClosedRange<Int>) -> Int? {
    guard let number = value.integer else {
      mismatch("an integer", remedy: "write it without quotes, fraction and unit")
      return nil
    }
    guard let exact = Int(exactly: number), range.contains(exact) else {
      let bound =
        range.upperBound == .max
        ? "at least \(range.lowerBound)" : "between \(range.lowerBound) and \(range.upperBound)"
      report(.value, "\(number) is out of range", remedy: "write a number \(bound)")
      return nil
    }
    return exact
  }

  /// Returns the quantity in a string with a number and a unit of this dimension, such as `"60 mW"`.
  func quantity(_ dimension: Dimension, like example: String) -> Quantity? {
    guard let quantity = quantity(like: example) else { return nil }
    guard quantity.dimension == dimension else {
      report(
        .value,
        "expected \(dimension.nameWithArticle), found the \(quantity.dimension.name) “\(value.string ?? "")”",
        remedy: "write it as “\(example)”")
      return nil
    }
    return quantity
  }

  /// Returns the quantity in a string with a number and any unit.
  func quantity(like example: String) -> Quantity? {
    guard let text = value.string else {
      mismatch("a string with a number and a unit", remedy: "write it as \"\(example)\"")
      return nil
    }
    do {
      return try Quantity(parsing: text, units: findings.units)
    } catch {
      report(.value, error.cause, remedy: "write it as “\(example)”")
      return nil
    }
  }

  /// Returns the enumeration case whose raw value is the string.
  func enumCase<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Word?
  where Word.RawValue == String {
    guard let text = text() else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    report(
      .unknownName, "unknown word “\(Excerpt.text(text))”",
      remedy: Spelling.advice(for: text, among: words))
    return nil
  }

  func items() -> [JSONField]? {
    guard let items = value.items else {
      mismatch("an array", remedy: "put it between [ and ]")
      return nil
    }
    return items.enumerated().map { index, item in
      JSONField(value: item, path: "\(path)[\(index)]", findings: findings)
    }
  }

  /// Returns an object and reports every key that is not in `keys`.
  func object(keys: [String]) -> JSONObject? {
    guard let object = anyObject() else { return nil }
    object.refuseKeys(except: keys)
    return object
  }

  /// Returns the value decoded as `type`. Nil, with a report, when a key is unknown or the value cannot be
  /// decoded.
  func decode<Value: Decodable>(_ type: Value.Type) -> Value? {
    let path = path.isEmpty ? CodingPath.root : .key(path, of: .root)
    do throws(Problem) {
      let context = DecodingContext(source: findings.source, .json, ignoresUnknownKeys: false)
      return try context.decode(type, from: value, root: path)
    } catch {
      findings.report(error)
      return nil
    }
  }

  func anyObject() -> JSONObject? {
    guard let members = value.members else {
      mismatch("an object", remedy: "put keys and values between { and }")
      return nil
    }
    return JSONObject(members: members, place: value.place, path: path, findings: findings)
  }
}

extension JSONField {
  /// Returns the root object of a file. The member `versionKey` is the format version. The version must be 1.
  /// When `newKeys` is not empty, version 2 is also accepted.
  ///
  /// - Parameter newKeys: the keys that files of version 2 may also have.
  func document(_ versionKey: String, keys: [String], version2 newKeys: [String] = []) -> JSONObject? {
    guard let object = anyObject() else { return nil }
    guard let version = object.optional(versionKey) else {
      object.report(
        .unexpectedContent, "this file has another format: the key “\(versionKey)” is missing",
        remedy: "start the file with \"\(versionKey)\": 1")
      return nil
    }
    guard let number = version.value.integer else {
      version.report(.type, "expected an integer", remedy: "write 1")
      return nil
    }
    guard number == 1 || number == 2 && !newKeys.isEmpty else {
      version.report(
        .version, "version \(number) of the format is not supported",
        remedy: "write version \(newKeys.isEmpty ? "1" : "1 or 2"), or update this program")
      return nil
    }
    for key in newKeys where number == 1 {
      object.optional(key)?.report(
        .version, "version 1 of the format has no “\(key)”", remedy: "write \"\(versionKey)\": 2")
    }
    object.refuseKeys(except: keys + newKeys)
    return object
  }
}

extension JSONField {
  /// Returns a time span such as `"1 h 30 min"` of at least `least`.
  func span(like example: String, atLeast least: TimeSpan = .zero) -> TimeSpan? {
    guard let quantity = quantity(.time, like: example) else { return nil }
    guard let span = quantity.timeSpan, span <= InputBounds.span else {
      return tooLarge(atMost: "25567 d (70 years)")
    }
    guard span >= least else {
      let bound = least == .zero ? "negative" : "shorter than \(least)"
      report(.value, "the time is \(bound)", remedy: "write it as “\(example)”")
      return nil
    }
    return span
  }

  /// Returns a power such as `"60 mW"`. A power out of range is reported and replaced by 0 or the bound, so
  /// that the later checks still run.
  func power() -> Power? {
    guard let quantity = quantity(.power, like: "60 mW") else { return nil }
    guard quantity.value >= 0 else {
      refuseNegative(.power, like: "60 mW")
      return .zero
    }
    guard let power = quantity.power, InputBounds.rejectionReason(for: power) == nil else {
      return tooLarge(atMost: "10 kW", InputBounds.power)
    }
    return power
  }

  /// Returns an energy such as `"600 mJ"`. An energy out of range is reported and replaced by 0 or the bound,
  /// so that the later checks still run.
  func energy() -> Energy? {
    guard let quantity = quantity(.energy, like: "600 mJ") else { return nil }
    guard quantity.value >= 0 else {
      refuseNegative(.energy, like: "600 mJ")
      return .zero
    }
    guard let energy = quantity.energy, InputBounds.rejectionReason(for: energy) == nil else {
      return tooLarge(atMost: "1 kJ", InputBounds.event)
    }
    return energy
  }

  private func refuseNegative(_ dimension: Dimension, like example: String) {
    report(
      .value, "“\(value.string ?? "")” is a negative \(dimension.name)", remedy: "write it as “\(example)”")
  }

  /// Returns a non-negative quantity of a dimension, in base units.
  func amount(_ dimension: Dimension, like example: String) -> Double? {
    guard let quantity = quantity(dimension, like: example) else { return nil }
    guard quantity.value >= 0 else {
      report(.value, "the \(dimension.name) is negative", remedy: "write it as “\(example)”")
      return nil
    }
    return quantity.value
  }

  /// Returns a number of bytes such as `"20 kB"`.
  func byteCount() -> Int64? {
    guard let amount = amount(.data, like: "20 kB") else { return nil }
    guard let count = Int64(exactly: amount.rounded()), count <= InputBounds.bytes else {
      return tooLarge(atMost: "1073741824 MiB (1 PiB)")
    }
    return count
  }

  /// Returns the range between two quantities of one dimension, in base units: `["0 m", "10 km"]`.
  func range(_ dimension: Dimension, like example: String) -> ClosedRange<Double>? {
    guard let items = items() else { return nil }
    guard items.count == 2 else {
      report(.value, "expected two bounds, found \(items.count)", remedy: "write it as \(example)")
      return nil
    }
    let lower = items[0].quantity(dimension, like: Quantity(0, dimension).description)
    let upper = items[1].quantity(dimension, like: Quantity(10, dimension).description)
    guard let lower, let upper else { return nil }
    guard lower.value <= upper.value else {
      report(.value, "the range ends before it begins", remedy: "write the smaller bound first")
      return nil
    }
    return lower.value...upper.value
  }

  /// Reports a quantity above its bound. Returns `fallback`, which later checks use instead of that quantity.
  private func tooLarge<Value>(atMost bound: String, _ fallback: Value? = nil) -> Value? {
    report(.value, "“\(value.string ?? "")” is too large", remedy: "write at most \(bound)")
    return fallback
  }
}
