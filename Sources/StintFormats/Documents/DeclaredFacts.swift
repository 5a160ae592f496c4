public import StintModel
import StintUnits

/// Writes facts that a site or an app declares, in the format of a scenario file.
public enum DeclaredFacts {
  /// Returns the JSON text of a scenario that contains only these facts, as journals store it.
  public static func journalText(_ facts: [FactSchema]) -> String {
    var members = [
      JSONMember("stint_scenario", 1), JSONMember("name", "app"),
      JSONMember("start", "1970-01-01T00:00:00Z"), JSONMember("duration", "1 s"),
      JSONMember("world", ["origin": [0, 0]]),
    ]
    let units = units(of: facts)
    if !units.isEmpty { members.append(JSONMember("units", JSONValue(units))) }
    members.append(JSONMember("declares", JSONValue(facts.map(value))))
    return JSONWriter.text(of: JSONValue(members))
  }

  /// Returns each unit of the facts once, without the units of the language.
  private static func units(of facts: [FactSchema]) -> [JSONValue] {
    var symbols: Set<String> = []
    return facts.compactMap(\.unit).filter(isDeclared).compactMap { unit in
      guard symbols.insert(unit.symbol).inserted else { return nil }
      return [
        "symbol": JSONValue(unit.symbol), "dimension": JSONValue(unit.dimension.product),
        "factor": JSONValue(unit.scale),
      ]
    }
  }

  private static func isDeclared(_ unit: MeasureUnit) -> Bool {
    !unit.symbol.isEmpty && MeasureUnit.named(unit.symbol) == nil
  }

  private static func value(_ fact: FactSchema) -> JSONValue {
    var members = [JSONMember("name", JSONValue(fact.path))]
    switch fact.type {
    case .boolean: members.append(JSONMember("boolean", true))
    case .symbol(let words): members.append(JSONMember("options", JSONValue(words.map { JSONValue($0) })))
    case .quantity(let dimension):
      let units = MeasureUnit.all.filter { $0.dimension == dimension }
      guard let unit = fact.unit ?? units.first(where: { $0.scale == 1 }) ?? units.first else { break }
      members.append(JSONMember("unit", JSONValue(unit.symbol.isEmpty ? "1" : unit.symbol)))
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
