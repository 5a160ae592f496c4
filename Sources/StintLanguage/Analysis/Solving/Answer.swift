/// The result of a search for facts with which several claims are true together.
enum Answer: Hashable {
  /// The claims can be true together, with these facts.
  case possible(Witness)
  case impossible
  /// The solver cannot decide, for this reason.
  case undecided(String)

  var witness: Witness? { if case .possible(let witness) = self { witness } else { nil } }
  var isImpossible: Bool { self == .impossible }
}
