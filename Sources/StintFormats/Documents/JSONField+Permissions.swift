import StintModel

extension JSONField {
  /// Reads permissions: a word for the location, or an object with a decision per capability.
  func permissions() -> Permissions? {
    guard value.string != nil else { return decode(Permissions.self) }
    guard let location = enumCase(Authorization.self) else { return nil }
    return Permissions(location)
  }
}
