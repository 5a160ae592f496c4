/// A word of the language with everything that a reader needs: parser, editor and reference show the same.
public struct LanguageWord: Hashable, Sendable, CustomStringConvertible {
  /// What sort of word it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case item, trigger, verb, `operator`, function, setting, keyword
  }

  public let kind: Kind
  public let name: String
  /// How it is written, in the notation of `grammar/stint.ebnf`; empty for a word within another form.
  public let form: String
  /// What its operands must measure and what it is; empty where it joins no values.
  public let rule: String
  /// What it does, in one sentence.
  public let meaning: String
  public let example: LanguageExample

  public var description: String { "\(kind.rawValue) \(name)" }
}

/// A piece of a policy that shows a word, and the policy in which it can be checked.
public struct LanguageExample: Hashable, Sendable {
  /// Where the piece stands in its policy.
  enum Place: Hashable, Sendable {
    case item, condition, directive, act, test
  }

  /// The piece, as the reference prints it.
  public let text: String
  let place: Place

  /// Whether the piece is one or more whole items.
  public var isItem: Bool { place == .item }

  static func item(_ text: String) -> LanguageExample { LanguageExample(text: text, place: .item) }
  static func condition(_ text: String) -> LanguageExample {
    LanguageExample(text: text, place: .condition)
  }
  /// A directive of a level rule.
  static func directive(_ text: String) -> LanguageExample {
    LanguageExample(text: text, place: .directive)
  }
  /// A directive of an edge rule.
  static func act(_ text: String) -> LanguageExample { LanguageExample(text: text, place: .act) }
  static func test(_ text: String) -> LanguageExample { LanguageExample(text: text, place: .test) }

  /// What all examples have in front of them: names for devices of the reference phone, a zone, a schedule.
  public static let header = """
    policy "example" version 1

    use location.gnss as gps
    use motion.accelerometer as accel
    use radio.cellular as cell

    zone home = circle 47.05 8.31 radius 150 m
    schedule night = 22:00..06:00

    """

  /// The whole policy.
  public var policy: String {
    let body =
      switch place {
      case .item: text
      case .condition: "rule example while \(text) {\n  downgrade accel to 1 Hz\n}"
      case .directive: "rule example while battery.level below 20 % release 25 % {\n  \(text)\n}"
      case .act: "rule example when battery.level below 20 % release 25 % {\n  \(text)\n}"
      case .test: "test \"example\" {\n  \(text)\n}"
      }
    return Self.header + "\n" + body + "\n"
  }
}
