public import StintModel
import StintUnits

/// Writes facts that a site or an app declares, in the form that files have.
public enum DeclaredFacts {
  /// Returns the JSON text of a scenario that contains only these facts, as journals store it.
  public static func journalText(_ facts: [FactSchema]) -> String {
    JSONWriter.text(of: [
      "stint_scenario": 1, "name": "app", "start": "1970-01-01T00:00:00Z", "duration": "1 s",
      "world": ["origin": [0, 0]], "declares": JSONValue(facts.map(value)),
    ])
  }

  private static func value(_ fact: FactSchema) -> JSONValue {
    var members = [JSONMember("name", JSONValue(fact.path))]
    switch fact.type {
    case .boolean: members.append(JSONMember("boolean", true))
    case .symbol(let words): members.append(JSONMember("options", JSONValue(words.map { JSONValue($0) })))
    case .quantity(let dimension):
      let units = MeasureUnit.all.filter { $0.dimension == dimension }
      let special = fact.unit.flatMap { MeasureUnit.named($0.symbol) }
      guard let unit = special ?? units.first(where: { $0.scale == 1 }) ?? units.first else { break }
      members.append(JSONMember("unit", JSONValue(unit.symbol)))
      if let range = fact.range {
        let ends = [range.lowerBound, range.upperBound].map { end in
          JSONValue("\(end / unit.scale) \(unit.symbol)")
        }
        members.append(JSONMember("range", JSONValue(ends)))
      }
    }
    if let maxAge = fact.maxAge { members.append(JSONMember("max_age", JSONValue("\(maxAge)"))) }
    if let fastest = fact.fastest { members.append(JSONMember("fastest", JSONValue("\(fastest)"))) }
    if fact.isNoisy { members.append(JSONMember("noisy", true)) }
    if fact.isAlwaysPublished { members.append(JSONMember("always", true)) }
    if !fact.meaning.isEmpty { members.append(JSONMember("meaning", JSONValue(fact.meaning))) }
    return JSONValue(members)
  }
}
