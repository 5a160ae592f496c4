import StintModel
import StintUnits

/// Reads the names that a site file gives to the devices of a plugin; `InstanceNames` describes the format.
enum InstanceNameReading {
  /// Returns the names, and reports each wrong name. Nil when the field is neither an object nor a string
  /// with a valid name.
  static func names(_ field: JSONField) -> InstanceNames? {
    if field.value.string != nil { return device(field).map { .single($0) } }
    guard field.value.members != nil else {
      field.report(
        .type, "expected a string or an object, found \(field.value.kind)",
        remedy: "write \"as\": \"ambient.indoor\"")
      return nil
    }
    var names: [DeviceID: DeviceID] = [:]
    for (own, field) in field.anyObject()?.fields() ?? [] {
      guard let name = device(field) else { continue }
      if names.values.contains(name) {
        field.report(
          .duplicate, "two devices have the name “\(name)”", remedy: "give each device a name of its own")
      }
      names[DeviceID(own)] = name
    }
    return .each(names)
  }

  private static func device(_ field: JSONField) -> DeviceID? {
    guard let text = field.text() else { return nil }
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    // A fact of a beacon may also have words that begin with a digit or contain hyphens.
    guard FactSchemaReading.isPath(text),
      words.allSatisfy({ $0.first?.isLetter == true && !$0.contains("-") }),
      InputBounds.rejectionReason(forName: text) == nil
    else {
      field.report(
        .value, "“\(Excerpt.text(text))” is not a name of words joined by dots",
        remedy: "write it as “ambient.indoor”")
      return nil
    }
    return DeviceID(text)
  }
}
