/// A message of a host about the run itself. The run continues.
public enum RunMessage: Hashable, Sendable {
  /// An event of the normal course of the run, for example that memory is low.
  case notice(String)
  /// An operation that failed, for example that the journal cannot be written.
  case problem(String)

  /// The sentence.
  public var text: String {
    switch self {
    case .notice(let text), .problem(let text): text
    }
  }
}
