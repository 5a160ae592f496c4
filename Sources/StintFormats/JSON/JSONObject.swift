public import StintUnits

/// The members of an object, accessed by key.
struct JSONObject {
  let members: [JSONMember]
  let place: TextLocation
  let path: String
  let findings: JSONFindings

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Returns the value of a key; nil when the key is absent.
  func optional(_ key: String) -> JSONField? {
    members.first { $0.name == key }.map { field($0) }
  }

  /// Returns the value of a key; when the key is absent, an empty object at the location of `owner`.
  func field(_ key: String, orEmpty owner: JSONField) -> JSONField {
    optional(key)
      ?? JSONField(
        value: JSONValue(.object([]), at: owner.value.place), path: path(of: key), findings: findings)
  }

  func without(_ keys: [String]) -> JSONField {
    JSONField(
      value: JSONValue(.object(members.filter { !keys.contains($0.name) }), at: place), path: path,
      findings: findings)
  }

  /// Returns the value of a key; reports an absent key and returns nil.
  func required(_ key: String) -> JSONField? {
    if let field = optional(key) { return field }
    findings.report(
      .missing, at: place, path: path(of: key), "the key “\(key)” is missing", remedy: "add it")
    return nil
  }

  /// Reports a problem of the object as a whole.
  func report(_ code: Problem.Code, _ cause: String, remedy: String = "") {
    findings.report(code, at: place, path: path, cause, remedy: remedy)
  }

  /// Returns all members as fields, in file order.
  func fields() -> [(name: String, field: JSONField)] { members.map { ($0.name, field($0)) } }

  private func field(_ member: JSONMember) -> JSONField {
    JSONField(value: member.value, path: path(of: member.name), findings: findings)
  }

  /// Reports every key that is not in `known`.
  func refuseKeys(except known: [String]) {
    for member in members where !known.contains(member.name) {
      let absent = known.filter { key in !members.contains { $0.name == key } }
      findings.report(
        .unknownName, at: member.place, path: path(of: member.name),
        "no key is named “\(Excerpt.text(member.name))” here",
        remedy: Spelling.nearest(to: member.name, among: absent).map { "did you mean “\($0)”?" }
          ?? "known here: \(known.joined(separator: ", "))")
    }
  }
}

/// One key of an object, with its value.
public struct JSONMember: Hashable, Sendable {
  /// The key.
  public var name: String
  /// The location of the key in the file.
  public var place: TextLocation
  /// The value of the key.
  public var value: JSONValue

  /// Makes a member.
  public init(_ name: String, _ value: JSONValue, at place: TextLocation = .none) {
    self.name = name
    self.value = value
    self.place = place
  }
}

/// Collects all problems of one file, so that one run reports them together.
final class JSONFindings {
  let source: String
  private(set) var problems: [Problem] = []
  /// The units that quantities in the file may have.
  var units = UnitTable.standard

  init(source: String) { self.source = source }

  func report(
    _ code: Problem.Code, at place: TextLocation, path: String, _ cause: String, remedy: String = ""
  ) {
    problems.append(
      Problem(code, place: Problem.Place(source, at: place, part: path), cause: cause, remedy: remedy))
  }

  func report(_ problem: Problem) { problems += problem.all }

  /// Throws the collected problems; does nothing when there are no problems.
  func check() throws(Problem) {
    if !problems.isEmpty { throw Problem(all: problems) }
  }
}
