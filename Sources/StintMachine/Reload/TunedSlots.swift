import StintModel

/// Finds state whose expression has other numbers now, and is the same but for them.
///
/// Of several alike in a rule, each takes the first that is left: the order of a file is what a reader sees.
struct TunedSlots {
  private struct Key: Hashable {
    var rule: RuleID
    var shape: String
  }

  /// The places that are left of each shape, the last one first.
  private var places: [Key: [Int]] = [:]

  /// Takes in state that no expression owns as it is.
  init(_ slots: [(place: Int, key: SlotKey)]) {
    for slot in slots.reversed() { places[Self.key(slot.key), default: []].append(slot.place) }
  }

  /// The place of a slot that differs from this one in numbers alone; each is given once.
  mutating func readBytes(_ key: SlotKey) -> Int? { places.isEmpty ? nil : places[Self.key(key)]?.popLast() }

  private static func key(_ key: SlotKey) -> Key {
    Key(rule: key.rule, shape: Structure.shape(of: key.structure))
  }
}
