extension JSONField {
  /// The outermost object of a file whose first key carries the version of its form.
  func document(_ versionKey: String, keys: [String]) -> JSONObject? {
    guard let object = anyObject() else { return nil }
    guard let version = object.optional(versionKey) else {
      object.report(
        .foreign, "this is something else: the key “\(versionKey)” is missing",
        step: "start the file with \"\(versionKey)\": 1")
      return nil
    }
    guard let number = version.value.integer else {
      version.report(.type, "a whole number is expected", step: "write 1")
      return nil
    }
    guard number == 1 else {
      version.report(
        .version, "version \(number) of the form is not known here",
        step: "write version 1, or update this program")
      return nil
    }
    object.refuseKeys(except: keys)
    return object
  }
}
