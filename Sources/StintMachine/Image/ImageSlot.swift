public import StintModel
public import StintUnits

/// What names a piece of state across reloads: the rule, the structure of the expression, and which of equals
/// it is.
public struct SlotKey: Hashable, Sendable, CustomStringConvertible {
  public var rule: RuleID
  public var structure: String
  public var occurrence: Int

  /// Makes a key.
  public init(rule: RuleID, structure: String, occurrence: Int) {
    self.rule = rule
    self.structure = structure
    self.occurrence = occurrence
  }

  public var description: String { "\(rule) \(structure)" }
}

/// A piece of state that an expression owns.
public struct ImageSlot: Hashable, Sendable {
  /// What the state is for.
  public enum Kind: Hashable, Sendable {
    case latch(LatchSide)
    case heldFor(TimeSpan, tolerate: TimeSpan?)
    case inLast(TimeSpan)
    /// A statistic of one of the image's facts; `capacity` values are kept at most.
    case window(WindowFunction, fact: Int, TimeSpan, capacity: Int)
  }

  public var kind: Kind
  public var key: SlotKey
  /// Where the expression stands in its file, in UTF-8 offsets.
  public var place: Range<Int>

  /// Makes a slot.
  public init(kind: Kind, key: SlotKey, place: Range<Int>) {
    self.kind = kind
    self.key = key
    self.place = place
  }
}
