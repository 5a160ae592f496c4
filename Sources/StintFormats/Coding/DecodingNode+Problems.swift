import StintUnits

extension DecodingNode {
  /// Returns a problem with the location and path of this value.
  ///
  /// - Parameter remedy: ignored for the binary format, which people do not edit.
  func problem(_ code: Problem.Code, _ cause: String, remedy: String = "") -> Problem {
    problem(code, cause, remedy: remedy, at: value.place, path)
  }

  private func problem(
    _ code: Problem.Code, _ cause: String, remedy: String, at place: TextLocation, _ path: CodingPath
  ) -> Problem {
    Problem(
      code, place: Problem.Place(context.source, at: place, part: path.text), cause: cause,
      remedy: context.format.isText ? remedy : "")
  }

  func mismatch(_ wanted: String, remedy: String = "") -> Problem {
    problem(.type, "expected \(wanted), found \(value.kind)", remedy: remedy)
  }

  /// Returns the problem of a missing key that the type needs.
  ///
  /// Often the key is present but misspelt. So the problem also reports similar keys that the type does not
  /// have.
  func missing(_ name: String) -> Problem {
    let missing = problem(
      .missing, "the key “\(Excerpt.text(name))” is missing", remedy: "add it", at: value.place,
      .key(name, of: path))
    let similar = unrequested.filter { member in
      keyType?.init(stringValue: member.name) == nil
        && Spelling.nearest(to: member.name, among: [name]) != nil
    }
    if context.ignoresUnknownKeys { return missing }
    return Problem(all: [missing] + similar.map { unknown($0) })
  }

  /// Returns the problem of an object key that the type did not request, or that appears twice.
  ///
  /// - Parameter fallback: the remedy if no key of the type is known.
  func unknown(_ member: JSONMember, fallback: String = "remove it") -> Problem {
    let path = CodingPath.key(member.name, of: path)
    let name = Excerpt.text(member.name)
    if requested.contains(member.name) {
      return problem(
        .duplicate, "the key “\(name)” appears twice", remedy: "keep one of the two", at: member.place, path)
    }
    let known = knownKeys
    let absent = known.filter { !hasMember($0) }
    let remedy =
      Spelling.nearest(to: member.name, among: absent).map { "did you mean “\($0)”?" }
      ?? (known.isEmpty ? fallback : "known here: \(known.joined(separator: ", "))")
    return problem(.unknownName, "no key is named “\(name)” here", remedy: remedy, at: member.place, path)
  }

  /// All keys of the type, if the type lists them. Otherwise, the keys that the type has requested.
  private var knownKeys: [String] {
    let all = (keyType as? any CaseIterable.Type).map { Self.cases(of: $0) } ?? []
    return all.isEmpty ? requested : all.compactMap { ($0 as? any CodingKey)?.stringValue }
  }

  private static func cases<Value: CaseIterable>(of type: Value.Type) -> [Any] { Array(type.allCases) }

  // MARK: Errors of types

  /// Converts an error that ended the decoding of this value into a problem with a location.
  func located(_ error: any Error, decoding type: any Decodable.Type) -> Problem {
    switch error {
    case let problem as Problem: located(problem)
    case DecodingError.dataCorrupted(let error):
      if let type = type as? any RawRepresentable.Type {
        unknownWord(type)
      } else {
        problem(.value, Self.sentence(error.debugDescription))
      }
    case DecodingError.typeMismatch(_, let error):
      // Only a type with a fixed set of keys rejects the name "\0". Of these types, only an enumeration can
      // fail before it requests a key.
      if let keyType, requested.isEmpty, keyType.init(stringValue: "\0") == nil {
        wrongCase(keyType)
      } else {
        problem(.type, Self.sentence(error.debugDescription))
      }
    case DecodingError.keyNotFound(let key, _): missing(key.stringValue)
    case DecodingError.valueNotFound(_, let error):
      problem(.missing, Self.sentence(error.debugDescription))
    default: problem(.value, Excerpt.text("\(error)"))
    }
  }

  /// Adds the location to a problem without a location.
  private func located(_ problem: Problem) -> Problem {
    guard problem.place == Problem.Place("") else { return problem }
    var cause = problem.cause
    if problem.code == .type, !cause.contains(", found ") { cause += ", found \(value.kind)" }
    var result = self.problem(problem.code, cause, remedy: problem.remedy)
    result.others = problem.others
    return result
  }

  private static func sentence(_ text: String) -> String {
    Excerpt.text(text.last == "." ? text.dropLast() : text[...])
  }

  /// Returns the problem of a raw value that no case of an enumeration has.
  private func unknownWord(_ type: any RawRepresentable.Type) -> Problem {
    let words = ((type as? any CaseIterable.Type).map { Self.cases(of: $0) } ?? []).compactMap { word in
      (word as? any RawRepresentable).map { "\($0.rawValue)" }
    }
    guard let text = value.string else {
      return problem(
        .value, "unknown value \(value.number.map { Quantity.number($0) } ?? value.kind)",
        remedy: words.isEmpty ? "" : "known here: \(words.joined(separator: ", "))")
    }
    return problem(
      .unknownName, "unknown word “\(Excerpt.text(text))”",
      remedy: words.isEmpty ? "" : Spelling.advice(for: text, among: words))
  }

  /// Returns the problem of an object that must have exactly one key: the name of a case of an enumeration.
  private func wrongCase(_ keyType: any CodingKey.Type) -> Problem {
    let members = value.members ?? []
    let unknownMembers = members.filter { keyType.init(stringValue: $0.name) == nil }
    guard !unknownMembers.isEmpty else {
      let known = knownKeys
      return problem(
        .value, "expected one key, found \(members.count)",
        remedy: known.isEmpty ? "write one key" : "write one of \(known.joined(separator: ", "))")
    }
    return Problem(all: unknownMembers.prefix(1).map { unknown($0, fallback: "write the name of a case") })
  }
}
