import StintModel

/// Finds state machines that oscillate. With some values of the facts, such a machine passes through a cycle
/// of states again and again, because no `for` delays the transitions of the cycle.
struct OscillationSearch {
  /// The largest number of states in a cycle that the search considers; longer cycles would take too much
  /// time.
  private static let longest = 4

  let solver: Solver
  let vocabulary: Vocabulary

  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    guard policies.contains(where: { !$0.moves.isEmpty }) else { return [] }
    let search = OscillationSearch(solver: Solver(policies, vocabulary: vocabulary), vocabulary: vocabulary)
    return policies.flatMap { policy in
      Set(policy.moves.map(\.machine)).sorted().compactMap { search.finding(of: $0, in: policy) }
    }
  }

  /// Returns a finding for the shortest cycle of a machine; of several shortest cycles, for the first in file
  /// order.
  private func finding(of machine: String, in policy: CheckedPolicy) -> Finding? {
    guard let steps = MachineStep.all(of: machine, in: policy) else { return nil }
    // The search begins each cycle only at its lowest state, so it finds each cycle once and not once per
    // state.
    var paths = steps.filter { $0.target > $0.source }.map { [$0] }
    for _ in 1..<Self.longest {
      paths = paths.flatMap { path in longer(path, steps, policy.name) }
      for path in paths where path[0].source == path[path.count - 1].target {
        guard let witness = solver.solve(claims(path, steps, policy.name)).witness else { continue }
        return finding(machine, path, witness, policy)
      }
      paths.removeAll { $0[0].source == $0[$0.count - 1].target }
    }
    return nil
  }

  /// Returns the path extended by each step that may follow without a wait.
  private func longer(_ path: [MachineStep], _ steps: [MachineStep], _ policy: String) -> [[MachineStep]] {
    let last = path[path.count - 1]
    return steps.compactMap { step in
      let isNew = path.dropFirst().allSatisfy { $0.source != step.target }
      guard step.source == last.target, isNew, step.target >= path[0].source else { return nil }
      let path = path + [step]
      return solver.excludes(path.map { claim($0, policy) }) ? nil : path
    }
  }

  /// Returns the claims under which the machine takes each step of the path.
  ///
  /// Of several transitions out of a state, the machine takes the first whose condition is true.
  private func claims(_ path: [MachineStep], _ steps: [MachineStep], _ policy: String) -> [Claim] {
    path.flatMap { step in
      let earlier = steps.filter { $0.source == step.source && $0.number < step.number }
      return [claim(step, policy)]
        + earlier.map { Claim(condition: $0.atEntry, policy: policy, mode: .fails) }
    }
  }

  private func claim(_ step: MachineStep, _ policy: String) -> Claim {
    Claim(condition: step.atEntry, policy: policy, mode: .holds)
  }

  private func finding(_ machine: String, _ path: [MachineStep], _ witness: Witness, _ policy: CheckedPolicy)
    -> Finding
  {
    let name = machine.split(separator: "/").last.map(String.init) ?? machine
    let states = (path + path.prefix(1)).map { "“\(word($0.source, of: machine, in: policy))”" }
    let facts = witness.text(vocabulary)
    let first = facts.isEmpty ? "true at any time" : "true with \(facts)"
    let labels = path.enumerated().map { place, step in
      Diagnostic.Label(span: step.condition.span, text: place == 0 ? first : "and this is true too")
    }
    return Finding(
      Diagnostic(
        .oscillating, "“\(name)” may oscillate: \(states.joined(separator: ", "))", severity: .warning,
        file: policy.file, labels: labels,
        hint: "make the conditions exclude each other, so that the machine stays in one state"),
      witness: witness)
  }

  private func word(_ state: Int, of machine: String, in policy: CheckedPolicy) -> String {
    let fact = policy.computed.first { $0.schema.path == machine }
    return fact?.schema.text(of: .symbol(state)) ?? "\(state)"
  }
}
