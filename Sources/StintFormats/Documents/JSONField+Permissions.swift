import StintModel

extension JSONField {
  /// Reads permissions: a word for the location, or an object with a decision per capability.
  func permissions() -> Permissions? {
    guard value.string != nil else { return permissionObject() }
    guard let location = word(Authorization.self) else { return nil }
    return Permissions(location)
  }

  private func permissionObject() -> Permissions? {
    guard let object = object(keys: ["location", "precision", "motion", "network"]) else { return nil }
    return Permissions(
      location: object.optional("location")?.word(Authorization.self) ?? .always,
      precision: object.optional("precision")?.word(Precision.self) ?? .precise,
      motion: object.optional("motion")?.word(Consent.self) ?? .granted,
      network: object.optional("network")?.word(Consent.self) ?? .granted)
  }
}
