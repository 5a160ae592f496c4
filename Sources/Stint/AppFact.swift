import StintModel
import StintUnits

/// A fact that apps publish and policies may name: `hike.remaining`, `view.rotatable`.
///
/// It is declared when the bus is opened, so that policies are checked against it. It is unknown until a client
/// publishes it, once its value is older than `maxAge`, and once the client that published it is gone.
public struct AppFact: Hashable, Sendable {
  /// What sort of value it has.
  public enum Kind: Hashable, Sendable {
    case truth
    /// A quantity that is measured in this unit, or another of the same dimension: `m`, `s`, `%`.
    case quantity(unit: String)
    /// One of these words.
    case words([String])
  }

  /// What is published.
  public enum Value: Hashable, Sendable, ExpressibleByBooleanLiteral {
    case truth(Bool)
    case quantity(Double, unit: String)
    case word(String)
    /// The client does not know it any more.
    case unknown

    public init(booleanLiteral value: Bool) { self = .truth(value) }
  }

  public var path: String
  public var kind: Kind
  /// What is believable, in the unit of `kind`; anything else is refused when it is published.
  public var range: ClosedRange<Double>?
  /// How long a value stands; nil for as long as its client is there.
  public var maxAge: Duration?
  /// One sentence for people.
  public var meaning: String

  /// Declares a fact.
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

// MARK: What the bus makes of it

extension AppFact {
  /// The declaration as policies are checked against it.
  func schema() throws(BusError) -> FactSchema {
    guard Self.isPath(path), !path.hasPrefix("client.") else {
      throw bad("is no name for a fact of an app; take words joined by dots, such as “hike.remaining”")
    }
    if let maxAge, maxAge <= .zero {
      throw bad("stands for \(maxAge); a value stands for some time, or say nil")
    }
    if let maxAge, let rejectionReason = InputBounds.rejectionReason(for: maxAge.timeSpan) {
      throw bad("stands too long: \(rejectionReason)")
    }
    let (type, believable) = try typed()
    return FactSchema(
      path: path, type: type, range: believable, maxAge: maxAge?.timeSpan, meaning: meaning)
  }

  private func typed() throws(BusError) -> (FactType, ClosedRange<Double>?) {
    switch kind {
    case .quantity(let symbol):
      guard let unit = MeasureUnit.named(symbol) else {
        throw bad("has a unit “\(symbol)” that does not exist")
      }
      guard let range else { return (.quantity(unit.dimension), nil) }
      let (low, high) = (
        Quantity(range.lowerBound, in: unit).value, Quantity(range.upperBound, in: unit).value
      )
      guard low.isFinite, high.isFinite, low <= high else { throw bad("has a range that is not finite") }
      return (.quantity(unit.dimension), low...high)
    case .truth where range != nil, .words where range != nil:
      throw bad("has a range, which only quantities have; leave it out")
    case .truth: return (.boolean, nil)
    case .words(let words):
      guard !words.isEmpty, Set(words).count == words.count, words.allSatisfy(Self.isWord) else {
        throw bad("needs words, each once, of letters, digits and “_”")
      }
      return (.symbol(words), nil)
    }
  }

  private func bad(_ text: String) -> BusError { BusError(.badFact, "“\(path)” \(text)") }

  private static func isPath(_ name: String) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isWord(String($0)) }
  }

  private static func isWord(_ word: String) -> Bool {
    word.first?.isLetter == true
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension AppFact.Value {
  /// The value as the bus keeps it; throws when the fact is of another sort, with both named.
  func converted(as schema: FactSchema) throws(BusError) -> FactValue {
    let value: FactValue
    switch (self, schema.type) {
    case (.unknown, _): value = .unknown
    case (.truth(let truth), .boolean): value = .boolean(truth)
    case (.quantity(let number, let symbol), .quantity(let dimension)):
      guard let unit = MeasureUnit.named(symbol) else {
        throw BusError(.badFact, "“\(schema.path)” is published in “\(symbol)”; there is no such unit")
      }
      guard unit.dimension == dimension else { throw mismatch(schema) }
      value = .number(Quantity(number, in: unit).value)
    case (.word(let word), .symbol(let words)):
      guard let place = words.firstIndex(of: word) else {
        throw BusError(.badFact, "“\(schema.path)” is \(schema.type.name), and not “\(word)”")
      }
      value = .symbol(place)
    default: throw mismatch(schema)
    }
    if let rejectionReason = schema.rejectionReason(for: value) { throw BusError(.badFact, rejectionReason) }
    return value
  }

  private func mismatch(_ schema: FactSchema) -> BusError {
    BusError(.badFact, "“\(schema.path)” is \(schema.type.name), and \(described)")
  }

  private var described: String {
    switch self {
    case .truth(let truth): "\(truth) is true or false"
    case .quantity(let number, let unit):
      "\(Quantity.number(number)) \(unit) is \(MeasureUnit.named(unit)?.dimension.name ?? "nothing")"
    case .word(let word): "“\(word)” is a word"
    case .unknown: "nothing is known"
    }
  }
}
