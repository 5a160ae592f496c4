/// Whether claims can be the case together.
enum Answer: Hashable {
  /// They can, with these facts.
  case possible(Witness)
  case impossible
  /// Nobody can tell, and why.
  case undecided(String)

  var witness: Witness? { if case .possible(let witness) = self { witness } else { nil } }
  var isImpossible: Bool { self == .impossible }
}
