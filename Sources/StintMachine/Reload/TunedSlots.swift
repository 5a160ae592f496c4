import StintModel

/// Finds the state of expressions that differ from their old form only in numbers.
///
/// When a rule has several such expressions with equal shape, they are paired in the order of the file.
struct TunedSlots {
  private struct Key: Hashable {
    var rule: RuleID
    var shape: String
  }

  /// The unpaired slots of each shape, in descending order.
  private var places: [Key: [Int]] = [:]

  /// Stores the slots that were not matched with an expression of equal structure.
  init(_ slots: [(place: Int, key: SlotKey)]) {
    for slot in slots.reversed() { places[Self.key(slot.key), default: []].append(slot.place) }
  }

  /// Removes and returns the index of a slot that differs from `key` only in numbers; nil when none exists.
  mutating func removeSlot(matching key: SlotKey) -> Int? {
    places.isEmpty ? nil : places[Self.key(key)]?.popLast()
  }

  private static func key(_ key: SlotKey) -> Key {
    Key(rule: key.rule, shape: Structure.shape(of: key.structure))
  }
}
