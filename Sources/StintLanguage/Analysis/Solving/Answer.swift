/// Whether claims can be the case together.
enum Answer: Hashable {
  /// They can, with these facts.
  case possible(Witness)
  case impossible
  /// The solver cannot decide, with the reason.
  case undecided(String)

  var witness: Witness? { if case .possible(let witness) = self { witness } else { nil } }
  var isImpossible: Bool { self == .impossible }
}
