/// One key of an object, with its value.
public struct JSONMember: Hashable, Sendable {
  public var name: String
  /// Where the key stands.
  public var place: FormatPlace
  public var value: JSONValue

  /// Makes a member.
  public init(_ name: String, _ value: JSONValue, at place: FormatPlace = .none) {
    self.name = name
    self.value = value
    self.place = place
  }
}
