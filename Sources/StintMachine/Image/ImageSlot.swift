public import StintModel
public import StintUnits

/// The key that identifies a slot across reloads. It consists of the rule, the structure of the expression,
/// and the position of the expression among equal expressions.
public struct SlotKey: Hashable, Sendable, CustomStringConvertible {
  /// The rule that contains the expression.
  public var rule: RuleID
  /// The structure of the expression as a string.
  public var structure: String
  /// The position of the expression among expressions of equal structure in the rule, from 0.
  public var occurrence: Int

  /// Creates a key.
  public init(rule: RuleID, structure: String, occurrence: Int) {
    self.rule = rule
    self.structure = structure
    self.occurrence = occurrence
  }

  public var description: String { "\(rule) \(structure)" }
}

/// A slot for the state of one temporal operator: the operator, the key and the position in the policy file.
public struct ImageSlot: Hashable, Sendable {
  /// The operator that owns the state.
  public enum Kind: Hashable, Sendable {
    case latch(LatchSide)
    case heldFor(TimeSpan, tolerate: TimeSpan?)
    case inLast(TimeSpan)
    /// A statistic of a fact over a time window. `fact` is an index into `Image.facts`; at most `capacity`
    /// samples are stored.
    case window(WindowFunction, fact: Int, TimeSpan, capacity: Int)
  }

  /// The operator and its parameters.
  public var kind: Kind
  /// The key that identifies the slot across reloads.
  public var key: SlotKey
  /// The range of the expression in its policy file, in UTF-8 offsets.
  public var place: Range<Int>

  /// Creates a slot.
  public init(kind: Kind, key: SlotKey, place: Range<Int>) {
    self.kind = kind
    self.key = key
    self.place = place
  }
}
