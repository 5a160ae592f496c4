import StintModel
import StintUnits

extension ManifestReader {
  static func ladder(_ field: JSONField) -> Ladder? {
    guard let object = field.object(keys: ["name", "rank", "serves"]) else { return nil }
    let name = object.required("name")?.text()
    let rank = object.required("rank")?.whole(in: 0...1000)
    let serves = object.optional("serves")?.amount(.length, like: "5 m")
    guard let name, let rank else { return nil }
    return Ladder(name: name, rank: rank, serves: serves)
  }

  static func event(_ field: JSONField) -> PricedEvent? {
    guard let object = field.object(keys: ["name", "energy"]) else { return nil }
    let name = object.required("name")?.text()
    let energy = object.required("energy")?.energy()
    guard let name, let energy else { return nil }
    return PricedEvent(name: name, energy: energy)
  }

  static func channel(_ field: JSONField) -> Channel? {
    guard let object = field.object(keys: ["name", "unit"]) else { return nil }
    let name = object.required("name")?.text()
    let unit = object.required("unit").flatMap { FactSchemaReading.unit($0) }
    guard let name, let unit else { return nil }
    return Channel(name: name, unit: unit.symbol)
  }

  static func attribute(_ field: JSONField) -> AttributeSchema? {
    let keys = ["name"] + FactSchemaReading.typeKeys + ["range", "default"]
    guard let object = field.object(keys: keys) else { return nil }
    let name = object.required("name")?.text()
    let type = FactSchemaReading.type(object)
    let range = FactSchemaReading.range(object, type)
    guard let name, let type else { return nil }
    let schema = FactSchema(path: name, type: type, range: range)
    let fallback = object.optional("default").flatMap { value($0, of: schema) } ?? .unknown
    return AttributeSchema(name: name, type: type, range: range, fallback: fallback)
  }

  private static func value(_ field: JSONField, of schema: FactSchema) -> FactValue? {
    if schema.type == .boolean { return field.flag().map { .boolean($0) } }
    guard let text = field.text() else { return nil }
    guard let value = schema.value(from: text) else {
      field.report(
        .value, "\(schema.path) is \(schema.type.name), and “\(text)” is not", step: "write one that is")
      return nil
    }
    if let objection = schema.objection(to: value) {
      field.report(.value, objection, step: "write a default within the range")
    }
    return value
  }

  static func figures(_ root: JSONObject) -> [String: Quantity] {
    var figures: [String: Quantity] = [:]
    for (name, field) in root.optional("figures")?.anyObject()?.fields() ?? [] {
      figures[name] = field.quantity(like: "47 s")
    }
    return figures
  }
}
