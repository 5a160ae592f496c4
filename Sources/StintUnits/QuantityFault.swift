/// Why a text is not a quantity.
public enum QuantityFault: Error, Hashable, Sendable {
  /// Nothing but white space.
  case empty
  /// A number was expected at this place.
  case notANumber(String)
  /// A number stands without its unit.
  case unitMissing(String)
  /// No unit has this spelling.
  case unknownUnit(String)
  /// Parts of one quantity measure different things, as in `1 h 5 m`.
  case mixedDimensions(String, String)
  /// The number is not finite or too large.
  case outOfRange(String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .empty: "a quantity is expected, and nothing is there"
    case .notANumber(let text): "a number is expected where “\(text)” stands"
    case .unitMissing(let text): "“\(text)” has no unit; write one, as in “\(text) s” or “\(text) m”"
    case .unknownUnit(let text): "no unit is spelled “\(text)”"
    case .mixedDimensions(let first, let second): "“\(first)” and “\(second)” measure different things"
    case .outOfRange(let text): "“\(text)” is too large"
    }
  }
}
