import StintFormats
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// Reads a workload from its three JSON files.
struct WorkloadReader {
  private let path: String
  private var fields: [Workload.Field] = []
  private var places: [String: Int] = [:]

  private init(_ path: String) { self.path = path }

  static func workload(rules: String, facts: String, updates: String) throws(Problem) -> Workload {
    let vectors = try items(of: facts)
    let trace = try items(of: updates)
    let list = try items(of: rules)
    var reader = WorkloadReader(facts)
    try reader.learn(vectors)
    var read = (rules: [WorkloadRule](), vectors: [[Double]](), trace: [[Double]]())
    for value in vectors { read.vectors.append(try reader.vector(value, facts)) }
    for value in trace { read.trace.append(try reader.vector(value, updates)) }
    for value in list { read.rules.append(try reader.rule(value, rules)) }
    guard !read.vectors.isEmpty, !read.trace.isEmpty, !read.rules.isEmpty else {
      throw reader.wrong(rules, "the workload is empty")
    }
    return Workload(
      fields: reader.fields, rules: read.rules, vectors: read.vectors, trace: read.trace,
      deviceCount: (read.rules.map(\.device).max() ?? -1) + 1)
  }

  private static func items(of path: String) throws(Problem) -> [JSONValue] {
    let value = try JSONReader.value(of: FileText.read(path), source: path)
    guard let items = value.items else { throw WorkloadReader(path).wrong(path, "expected an array") }
    return items
  }

  private func wrong(_ path: String, _ cause: String) -> Problem {
    Problem(
      .content, place: path, cause: cause,
      remedy: "give the arrays of rules, vectors and steps that the workload's generator writes")
  }

  // MARK: Fields

  /// Finds the names and the types of the fields in the vectors of the facts file.
  private mutating func learn(_ vectors: [JSONValue]) throws(Problem) {
    guard let members = vectors.first?.members else { throw wrong(path, "the first vector is not an object") }
    for member in members {
      guard !member.name.isEmpty, places[member.name] == nil,
        member.name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
      else { throw wrong(path, "“\(member.name)” is not the name of a field") }
      places[member.name] = fields.count
      let values = vectors.compactMap { $0[member.name] }
      fields.append(Workload.Field(name: member.name, type: try type(of: values, member.name)))
    }
  }

  private func type(of values: [JSONValue], _ name: String) throws(Problem) -> FactType {
    if values.allSatisfy({ $0.boolean != nil }) { return .boolean }
    if values.allSatisfy({ $0.number != nil }) { return .quantity(.none) }
    let words = values.compactMap(\.string)
    guard words.count == values.count else { throw wrong(path, "“\(name)” has values of different types") }
    return .symbol(Set(words).sorted())
  }

  private func number(_ value: JSONValue, _ field: Int, _ path: String) throws(Problem) -> Double {
    switch fields[field].type {
    case .boolean: if let truth = value.boolean { return truth ? 1 : 0 }
    case .quantity: if let number = value.number { return number }
    case .symbol(let words):
      if let word = value.string, let place = words.firstIndex(of: word) { return Double(place) }
    }
    throw wrong(path, "“\(fields[field].name)” has a value that does not fit its type in the facts file")
  }

  private func vector(_ value: JSONValue, _ path: String) throws(Problem) -> [Double] {
    var vector: [Double] = []
    for (place, field) in fields.enumerated() {
      guard let value = value[field.name] else { throw wrong(path, "a vector lacks “\(field.name)”") }
      vector.append(try number(value, place, path))
    }
    return vector
  }

  // MARK: Rules

  private func rule(_ value: JSONValue, _ path: String) throws(Problem) -> WorkloadRule {
    guard let id = value["id"]?.integer, let device = value["device"]?.integer, (0..<64).contains(device),
      let priority = value["priority"]?.integer, (1...Int64(Workload.fastest)).contains(priority),
      let when = value["when"]
    else {
      throw wrong(
        path,
        "a rule needs an id, a device from 0 to 63, a priority from 1 to \(Workload.fastest), and a condition"
      )
    }
    return WorkloadRule(
      id: id, device: Int(device), priority: Int(priority), condition: try condition(when, path))
  }

  private func condition(_ value: JSONValue, _ path: String) throws(Problem) -> WorkloadRule.Condition {
    guard let items = value.items, let first = items.first?.string else {
      throw wrong(path, "a condition must be an array that begins with a word")
    }
    if first == "and" || first == "or" {
      var parts: [WorkloadRule.Condition] = []
      for item in items.dropFirst() { parts.append(try condition(item, path)) }
      return first == "and" ? .and(parts) : .or(parts)
    }
    guard items.count == 3, let field = places[first],
      let comparison = items[1].string.flatMap(Comparison.init(rawValue:))
    else { throw wrong(path, "“\(first)” must be a known field, with an operator and a value") }
    return .compare(field, comparison, try number(items[2], field, path))
  }
}
