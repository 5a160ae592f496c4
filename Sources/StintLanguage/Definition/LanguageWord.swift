/// A word of the language: its form, meaning and an example. Parser, editors and the reference use this one
/// definition.
public struct LanguageWord: Hashable, Sendable, CustomStringConvertible {
  /// The category of a word.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case item, trigger, verb, `operator`, function, setting, keyword
    /// A fact or a property of a device, a service or a client.
    case property
    /// A word or unit within a value: a day, a period, a service, a unit.
    case value
  }

  /// The category of the word.
  public let kind: Kind
  /// The word as written in a policy.
  public let name: String
  /// The syntax in the notation of `grammar/stint.ebnf`; empty for a word that is part of another form.
  public let form: String
  /// The type rule of the word's operands and result; empty when the word has no operands.
  public let rule: String
  /// The meaning of the word, in one sentence.
  public let meaning: String
  /// An example that compiles within `LanguageExample.policy`.
  public let example: LanguageExample

  public var description: String { "\(kind.rawValue) \(name)" }
}

/// An example of a word: a part of a policy. `policy` is a complete policy that contains this part, so that a
/// test can check the part.
public struct LanguageExample: Hashable, Sendable {
  /// The place of the part within its policy.
  enum Place: Hashable, Sendable {
    case item, condition, directive, act, test
  }

  /// The part of the policy, as the reference prints it.
  public let text: String
  let place: Place

  /// True when the part consists of complete items.
  public var isItem: Bool { place == .item }

  static func item(_ text: String) -> LanguageExample { LanguageExample(text: text, place: .item) }
  static func condition(_ text: String) -> LanguageExample {
    LanguageExample(text: text, place: .condition)
  }
  /// Returns an example that is a directive of a `while` or `always` rule.
  static func directive(_ text: String) -> LanguageExample {
    LanguageExample(text: text, place: .directive)
  }
  /// Returns an example that is a directive of a `when` or `every` rule.
  static func act(_ text: String) -> LanguageExample { LanguageExample(text: text, place: .act) }
  static func test(_ text: String) -> LanguageExample { LanguageExample(text: text, place: .test) }

  /// The first lines of all examples: names for devices of the reference phone, a zone and a schedule.
  public static let header = """
    policy "example" version 1

    use location.gnss as gps
    use motion.accelerometer as accel
    use radio.cellular as cell

    zone home = circle 47.05 8.31 radius 150 m
    schedule night = 22:00..06:00

    """

  /// The complete policy: the header and the example.
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
