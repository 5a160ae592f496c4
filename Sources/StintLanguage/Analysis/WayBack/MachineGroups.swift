import StintModel

/// Finds groups of machine states that wait for each other. Every exit from a state of a group may need
/// another machine of the group. An exit is a transition out of a state.
///
/// A state depends on another machine's state when one of its exits reads that machine, or reads a fact of a
/// device that the other state keeps off. A state without exits depends on no other state, but other states
/// can depend on it.
struct MachineGroups {
  /// A state of a state machine. `machine` and `state` are indexes.
  struct Node: Hashable {
    var machine: Int
    var state: Int
  }

  /// The largest number of machines in a group.
  static let maxMachines = 3
  /// The largest number of groups that are examined. It limits the time for policies with many machines.
  private static let maxGroups = 20_000

  private let nodes: [Node]
  /// For each node: the nodes on which it depends.
  private let needs: [Set<Int>]
  /// For each node: true when the state has no exits.
  private let isFinal: [Bool]

  init(_ nodes: [Node], isFinal: (Node) -> Bool, depends: (Node, Node) -> Bool) {
    var nodes = nodes
    var needs: [Set<Int>] = []
    var isFinal = nodes.map(isFinal)
    // Remove nodes that cannot be in a group, until no such node is left.
    while true {
      needs = nodes.indices.map { place in
        Set(
          nodes.indices.filter {
            nodes[$0].machine != nodes[place].machine && depends(nodes[place], nodes[$0])
          })
      }
      let needed = needs.reduce(into: Set<Int>()) { $0.formUnion($1) }
      let kept = nodes.indices.filter { needed.contains($0) && (isFinal[$0] || !needs[$0].isEmpty) }
      if kept.count == nodes.count { break }
      nodes = kept.map { nodes[$0] }
      isFinal = kept.map { isFinal[$0] }
    }
    self.nodes = nodes
    self.needs = needs
    self.isFinal = isFinal
  }

  /// Returns the groups with two machines, then those with three. A group maps each of its machines to a
  /// state.
  var all: [[Int: Int]] {
    var groups: [[Int]] = []
    var left = Self.maxGroups
    for size in 2...Self.maxMachines { collect([], from: 0, size, &groups, &left) }
    return groups.map { group in
      Dictionary(uniqueKeysWithValues: group.map { (nodes[$0].machine, nodes[$0].state) })
    }
  }

  private func collect(
    _ chosen: [Int], from first: Int, _ size: Int, _ groups: inout [[Int]], _ left: inout Int
  ) {
    guard chosen.count < size else {
      left -= 1
      if isGroup(chosen) { groups.append(chosen) }
      return
    }
    for place in nodes.indices.dropFirst(first) where left > 0 {
      guard !chosen.contains(where: { nodes[$0].machine == nodes[place].machine }) else { continue }
      collect(chosen + [place], from: place + 1, size, &groups, &left)
    }
  }

  /// Returns whether the nodes of the set need each other. Each node must be needed by another node, and must
  /// need another node or have no exits.
  private func isGroup(_ chosen: [Int]) -> Bool {
    let set = Set(chosen)
    let needed = chosen.reduce(into: Set<Int>()) { $0.formUnion(needs[$1]) }
    return set.isSubset(of: needed)
      && chosen.allSatisfy { isFinal[$0] || !needs[$0].isDisjoint(with: set) }
  }
}
