import StintMachine
import StintModel

/// Maps the former names of budgets, state machines and zones to their new names.
///
/// An item whose name or policy was renamed is identified by its definition. The definition of a budget is
/// its devices, period, start and amount. The definition of a state machine is the names of its states. The
/// definition of a zone is its shape and delays.
struct RenameMap {
  private enum Kind: Hashable {
    case budget(Budget)
    case machine(Set<String>)
    case zone(Zone)
  }

  private struct Key: Hashable {
    var policy: Substring?
    var name: Substring?
    var kind: Kind
  }

  /// The new name of each renamed item, by its former name `POLICY/NAME`.
  private(set) var renamed: [String: String] = [:]
  private var oldNames: [String: String] = [:]

  init(from old: Vocabulary, to new: Vocabulary) {
    let before = Self.owners(old)
    let now = Self.owners(new)
    let (namesBefore, namesNow) = (Set(before.map(\.name)), Set(now.map(\.name)))
    var gone = before.filter { !namesNow.contains($0.name) }
    var fresh = now.filter { !namesBefore.contains($0.name) }
    // Items with equal definitions are matched in three passes. In the first pass, the names must also be
    // equal. In the second pass, the policies must also be equal. The last pass compares only the
    // definitions.
    for key in [{ Key(name: $0.1, kind: $1) }, { Key(policy: $0.0, kind: $1) }, { Key(kind: $1) }]
      as [((Substring, Substring), Kind) -> Key]
    {
      // Several items with equal definitions are paired in order.
      var alike: [Key: ArraySlice<Int>] = [:]
      for (place, entry) in gone.enumerated() {
        alike[key(Self.parts(entry.name), entry.kind), default: []].append(place)
      }
      var matched: Set<Int> = []
      fresh.removeAll { entry in
        guard let place = alike[key(Self.parts(entry.name), entry.kind)]?.popFirst() else {
          return false
        }
        renamed[gone[place].name] = entry.name
        matched.insert(place)
        return true
      }
      gone = gone.enumerated().filter { !matched.contains($0.offset) }.map(\.element)
    }
    for (old, new) in renamed { oldNames[new] = old }
  }

  /// Returns the former path of a computed fact.
  func path(before path: String) -> String { Structure.renaming(path, oldNames) }

  /// Returns the new path of a computed fact.
  func path(now path: String) -> String { Structure.renaming(path, renamed) }

  /// Returns all named items with state, without duplicates, in the order of the vocabulary.
  private static func owners(_ vocabulary: Vocabulary) -> [(name: String, kind: Kind)] {
    var owners: [(name: String, kind: Kind)] = []
    var seen: Set<String> = []
    for fact in vocabulary.computed {
      let owner: (name: String, kind: Kind)
      switch (fact.source, fact.schema.type) {
      case (.budget(let budget), _): owner = (fact.schema.path, .budget(budget))
      case (.machine, .symbol(let words)): owner = (fact.schema.path, .machine(Set(words)))
      case (.zone(let zone, let question), _):
        owner = (ZoneKey.name(fact.schema.path, question), .zone(zone))
      default: continue
      }
      if seen.insert(owner.name).inserted { owners.append(owner) }
    }
    return owners
  }

  private static func parts(_ name: String) -> (Substring, Substring) {
    let place = name.firstIndex(of: "/") ?? name.endIndex
    return (name[..<place], name[place...])
  }
}
