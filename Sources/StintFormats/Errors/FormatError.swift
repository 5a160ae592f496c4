/// What is wrong with something that the outside world wrote: where, why, and what to do about it.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: Code
  /// The file as the user named it, or `standard input`.
  public var source: String
  /// Where in the text; `.none` when the whole file is meant.
  public var place: FormatPlace
  /// The part that is meant: a JSON path such as `states[2].power`, or the name of a column; may be empty.
  public var path: String
  /// What is wrong, one sentence without a full stop.
  public var cause: String
  /// What the reader of the message can do, one sentence without a full stop; may be empty.
  public var step: String

  /// Makes an error.
  public init(
    _ code: Code, source: String, place: FormatPlace = .none, path: String = "", cause: String,
    step: String = ""
  ) {
    self.code = code
    self.source = source
    self.place = place
    self.path = path
    self.cause = cause
    self.step = step
  }

  /// One line for people: `phone.json:3:14: states[2].power: cause; step`.
  public var description: String {
    var text = source
    if place != .none { text += ":\(place)" }
    if !path.isEmpty { text += ": \(path)" }
    text += ": \(cause)"
    if !step.isEmpty { text += "; \(step)" }
    return text
  }
}
