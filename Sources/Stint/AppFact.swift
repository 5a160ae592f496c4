import StintFormats
import StintModel
import StintUnits

/// A fact that an app publishes and that policies may read, such as `hike.remaining` or `view.rotatable`.
///
/// An app declares its facts when it opens the bus. So the bus can check policies that read these facts. A
/// fact is unknown before the first `Client.publish(_:_:)`, when its value is older than `maxAge`, and after
/// the client that published its last value has detached.
public struct AppFact: Hashable, Sendable {
  /// The type of a fact's values: Boolean, quantity or word.
  public enum Kind: Hashable, Sendable {
    /// True or false.
    case truth
    /// A quantity. Values may have this unit, such as `m`, `s` or `%`, or any other unit of the same
    /// dimension.
    case quantity(unit: String)
    /// One of these words. Each word has only ASCII letters, digits and `_`, and begins with a letter.
    case words([String])
  }

  /// A value that `Client.publish(_:_:)` publishes. Its case must match the `kind` of the fact.
  public enum Value: Hashable, Sendable, ExpressibleByBooleanLiteral {
    /// True or false.
    case truth(Bool)
    /// A finite number in this unit; the bus converts it to the unit of the declaration.
    case quantity(Double, unit: String)
    /// One of the words of the declaration.
    case word(String)
    /// The value is unknown, for example because the app can no longer determine it.
    case unknown

    /// Creates `.truth(value)`, so that `true` and `false` can be published directly.
    public init(booleanLiteral value: Bool) { self = .truth(value) }
  }

  /// The name that policies use: words joined by dots. It must not begin with `client.`.
  public var path: String
  /// The type of the values.
  public var kind: Kind
  /// The valid range in the unit of `kind`, for quantities only. Publishing a value outside of this range
  /// throws. Nil when every finite value is valid.
  public var range: ClosedRange<Double>?
  /// The age at which a value becomes unknown; positive. Nil when values have no maximum age.
  public var maxAge: Duration?
  /// A description of the fact for people, one sentence.
  public var meaning: String

  /// Creates a declaration. `Bus.init` checks the declaration, and throws `Problem.Code.badFact` when the
  /// declaration is invalid.
  public init(
    _ path: String, _ kind: Kind, range: ClosedRange<Double>? = nil, maxAge: Duration? = nil,
    meaning: String = ""
  ) {
    self.path = path
    self.kind = kind
    self.range = range
    self.maxAge = maxAge
    self.meaning = meaning
  }
}

extension AppFact {
  /// The fact `app.state`, which every bus has: whether a client's app is in the foreground.
  static let state = AppFact(
    "app.state", .words(["foreground", "background"]), meaning: "whether an app is in the foreground")

  static let stateSchema = FactSchema(
    path: state.path, type: .symbol(["foreground", "background"]), meaning: state.meaning)
}

// MARK: Conversion for the bus

extension AppFact {
  /// Returns the schema against which policies are checked. Throws `badFact` when the declaration is invalid.
  func schema() throws(Problem) -> FactSchema {
    guard Self.isPath(path), !path.hasPrefix("client.") else {
      throw bad(
        "is not a valid fact name; use words joined by dots, such as “hike.remaining”; names that begin with "
          + "“client.” are reserved")
    }
    if let maxAge, let rejectionReason = InputBounds.rejectionReason(for: maxAge, "maxAge", .period) {
      throw bad("has an invalid time: \(rejectionReason), or nil")
    }
    let (type, validRange) = try typeAndRange()
    return FactSchema(
      path: path, type: type, range: validRange, maxAge: maxAge?.timeSpan, meaning: meaning)
  }

  /// Returns the type of the values and their valid range in the base unit. The range is nil without a limit.
  private func typeAndRange() throws(Problem) -> (FactType, ClosedRange<Double>?) {
    switch kind {
    case .quantity(let symbol):
      guard let unit = MeasureUnit.named(symbol) else {
        throw bad("has the unit “\(Excerpt.text(symbol))”, which does not exist")
      }
      guard let range else { return (.quantity(unit.dimension), nil) }
      let (low, high) = (
        Quantity(range.lowerBound, in: unit).value, Quantity(range.upperBound, in: unit).value
      )
      guard low.isFinite, high.isFinite, low <= high else {
        throw bad("has an invalid range; both bounds must be finite")
      }
      return (.quantity(unit.dimension), low...high)
    case .truth where range != nil, .words where range != nil:
      throw bad("has a range, but is not a quantity; remove the range")
    case .truth: return (.boolean, nil)
    case .words(let words):
      guard !words.isEmpty, Set(words).count == words.count, words.allSatisfy(Self.isWord) else {
        throw bad(
          "needs at least one word; words are unique, begin with a letter, and contain only ASCII letters, "
            + "digits and “_”")
      }
      return (.symbol(words), nil)
    }
  }

  private func bad(_ text: String) -> Problem { Problem(.badFact, cause: "“\(Excerpt.text(path))” \(text)") }

  private static func isPath(_ name: String) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isWord(String($0)) }
  }

  private static func isWord(_ word: String) -> Bool {
    word.first?.isLetter == true
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension AppFact.Value {
  /// Returns the value in the form that the host uses. Throws `badFact` when the value does not match the
  /// schema.
  func converted(as schema: FactSchema) throws(Problem) -> FactValue {
    let value: FactValue
    switch (self, schema.type) {
    case (.unknown, _): value = .unknown
    case (.truth(let truth), .boolean): value = .boolean(truth)
    case (.quantity(let number, let symbol), .quantity(let dimension)):
      guard let unit = MeasureUnit.named(symbol) else {
        throw Problem(
          .badFact, cause: "“\(schema.path)” is published in “\(Excerpt.text(symbol))”; there is no such unit"
        )
      }
      guard unit.dimension == dimension else { throw mismatch(schema) }
      value = .number(Quantity(number, in: unit).value)
    case (.word(let word), .symbol(let words)):
      guard let place = words.firstIndex(of: word) else {
        throw Problem(
          .badFact, cause: "“\(schema.path)” is \(schema.type.name), and not “\(Excerpt.text(word))”")
      }
      value = .symbol(place)
    default: throw mismatch(schema)
    }
    if let rejectionReason = schema.rejectionReason(for: value) {
      throw Problem(.badFact, cause: rejectionReason)
    }
    return value
  }

  private func mismatch(_ schema: FactSchema) -> Problem {
    Problem(.badFact, cause: "“\(schema.path)” has the type “\(schema.type.name)”, but \(described)")
  }

  private var described: String {
    switch self {
    case .truth(let truth): "\(truth) is a Boolean value"
    case .quantity(let number, let unit):
      "\(Quantity.number(number)) \(Excerpt.text(unit)) is \(MeasureUnit.named(unit)?.dimension.name ?? "a quantity")"
    case .word(let word): "“\(Excerpt.text(word))” is a word"
    case .unknown: "the value is unknown"
    }
  }
}
