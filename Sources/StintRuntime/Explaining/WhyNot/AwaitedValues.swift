/// The facts of which new values must or must not arrive, so that an earliest time is reached.
struct AwaitedValues: Equatable {
  /// The paths of the facts of which new values must keep arriving until that time.
  var arriving: [String] = []
  /// The paths of the facts of which no new value may arrive before that time.
  var absent: [String] = []

  /// The conditions as parts of a sentence.
  var sentences: [String] {
    var parts: [String] = []
    if !absent.isEmpty { parts.append("no new value of \(ConditionExplainer.list(absent)) arrives") }
    if !arriving.isEmpty {
      parts.append("new values of \(ConditionExplainer.list(arriving, "and")) keep arriving")
    }
    return parts
  }
}
