/// The members of an object, reached by key.
struct JSONObject {
  let members: [JSONMember]
  let place: FormatPlace
  let path: String
  let findings: JSONFindings

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The value of a key; nil when it is absent, which is fine.
  func optional(_ key: String) -> JSONField? {
    members.first { $0.name == key }.map { field($0) }
  }

  /// The value of a key; reported when it is absent.
  func required(_ key: String) -> JSONField? {
    if let field = optional(key) { return field }
    findings.report(
      .missing, at: place, path: path(of: key), "the key “\(key)” is missing", step: "add it")
    return nil
  }

  /// Reports something about the object as a whole.
  func report(_ code: FormatError.Code, _ cause: String, step: String = "") {
    findings.report(code, at: place, path: path, cause, step: step)
  }

  /// All members as fields, in the order of the file.
  func fields() -> [(name: String, field: JSONField)] { members.map { ($0.name, field($0)) } }

  private func field(_ member: JSONMember) -> JSONField {
    JSONField(value: member.value, path: path(of: member.name), findings: findings)
  }

  /// Reports every key that is not among these.
  func refuseKeys(except known: [String]) {
    for member in members where !known.contains(member.name) {
      let absent = known.filter { key in !members.contains { $0.name == key } }
      findings.report(
        .unknownName, at: member.place, path: path(of: member.name),
        "no key is named “\(Excerpt.text(member.name))” here",
        step: Spelling.nearest(to: member.name, among: absent).map { "did you mean “\($0)”?" }
          ?? "known here: \(known.joined(separator: ", "))")
    }
  }
}
