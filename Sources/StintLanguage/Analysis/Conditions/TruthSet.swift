/// The set of truth values that a condition may have.
struct TruthSet: OptionSet, Hashable {
  let rawValue: UInt8

  static let yes = TruthSet(rawValue: 1)
  static let no = TruthSet(rawValue: 2)
  static let unknown = TruthSet(rawValue: 4)
  static let any: TruthSet = [.yes, .no, .unknown]

  /// The negation in Kleene logic.
  var negated: TruthSet {
    var result = intersection(.unknown)
    if contains(.yes) { result.insert(.no) }
    if contains(.no) { result.insert(.yes) }
    return result
  }

  /// Returns the Kleene conjunction of two independent conditions.
  func and(_ other: TruthSet) -> TruthSet {
    var result: TruthSet = []
    if contains(.no) || other.contains(.no) { result.insert(.no) }
    if contains(.yes) && other.contains(.yes) { result.insert(.yes) }
    let isOpen = contains(.unknown) && other != .no || other.contains(.unknown) && self != .no
    if isOpen { result.insert(.unknown) }
    return result
  }

  /// Returns the Kleene disjunction of two independent conditions.
  func or(_ other: TruthSet) -> TruthSet { negated.and(other.negated).negated }

  /// Yes for true; no for false or unknown.
  var certain: TruthSet {
    var result: TruthSet = []
    if contains(.yes) { result.insert(.yes) }
    if contains(.no) || contains(.unknown) { result.insert(.no) }
    return result
  }
}
