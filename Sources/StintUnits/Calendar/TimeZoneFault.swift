/// Why a text is not a rule for a time zone.
public enum TimeZoneFault: Error, Hashable, Sendable {
  /// Something else was expected where this stands; an empty text is the end.
  case expected(String, at: String)
  /// A number is out of its bounds.
  case outOfRange(String)
  /// The name of summer time stands without a rule for when it begins and ends.
  case noRule

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .expected(let what, ""): "\(what) is expected, and the text ends"
    case .expected(let what, let rest): "\(what) is expected where “\(rest)” stands"
    case .outOfRange(let text): "“\(text)” is out of bounds"
    case .noRule: "summer time has no rule for when it begins and ends, as in “,M3.5.0,M10.5.0/3”"
    }
  }
}
