/// The truths that something may have, as far as it is known.
struct TruthSet: OptionSet, Hashable {
  let rawValue: UInt8

  static let yes = TruthSet(rawValue: 1)
  static let no = TruthSet(rawValue: 2)
  static let unknown = TruthSet(rawValue: 4)
  static let any: TruthSet = [.yes, .no, .unknown]

  /// Kleene's negation.
  var negated: TruthSet {
    var result = intersection(.unknown)
    if contains(.yes) { result.insert(.no) }
    if contains(.no) { result.insert(.yes) }
    return result
  }

  /// Kleene's `and` of two that do not depend on each other.
  func and(_ other: TruthSet) -> TruthSet {
    var result: TruthSet = []
    if contains(.no) || other.contains(.no) { result.insert(.no) }
    if contains(.yes) && other.contains(.yes) { result.insert(.yes) }
    let isOpen = contains(.unknown) && other != .no || other.contains(.unknown) && self != .no
    if isOpen { result.insert(.unknown) }
    return result
  }

  /// Kleene's `or` of two that do not depend on each other.
  func or(_ other: TruthSet) -> TruthSet { negated.and(other.negated).negated }

  /// Whether it is true; never unknown.
  var certain: TruthSet {
    var result: TruthSet = []
    if contains(.yes) { result.insert(.yes) }
    if contains(.no) || contains(.unknown) { result.insert(.no) }
    return result
  }
}
