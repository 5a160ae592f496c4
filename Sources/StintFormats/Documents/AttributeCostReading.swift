import StintModel
import StintUnits

/// Reads the power that the values of an attribute add.
enum AttributeCostReading {
  /// Reads the values of an attribute with the power that each value adds. The values are words, or
  /// quantities if the attribute has the key `unit`.
  ///
  /// - Returns: the type of the values, and the values, cheapest first. Values of equal power keep their
  ///   order. Nil, with a report, when the unit is invalid or there is no valid value.
  static func list(
    _ field: JSONField, _ attribute: JSONObject
  ) -> (type: FactType, values: [AttributeCost.PricedValue])? {
    for key in ["options", "boolean", "range", "power"] {
      attribute.optional(key)?.report(
        .duplicate, "“values” and “\(key)” exclude each other", remedy: "remove “\(key)”")
    }
    let unit = attribute.optional("unit").flatMap { FactSchemaReading.unit($0) }
    if attribute.optional("unit") != nil, unit == nil { return nil }
    var values: [AttributeCost.PricedValue] = []
    for item in field.items() ?? [] {
      guard let object = item.object(keys: ["value", "power"]), let place = object.required("value"),
        let value = value(place, unit)
      else { continue }
      if values.contains(where: { $0.value == value }) {
        place.report(.duplicate, "“\(value)” appears twice", remedy: "remove one")
      }
      guard let power = object.optional("power").map({ $0.power() }) ?? .zero else { continue }
      if let reason = InputBounds.rejectionReason(for: power) {
        object.optional("power")?.report(.value, reason, remedy: "write a power from 0 W to 10 kW")
      }
      values.append(AttributeCost.PricedValue(value, power: power))
    }
    guard !values.isEmpty else {
      field.report(.empty, "there is no value", remedy: "write at least one value")
      return nil
    }
    let ordered = values.enumerated().sorted { left, right in
      left.element.power == right.element.power
        ? left.offset < right.offset : left.element.power < right.element.power
    }.map(\.element)
    guard unit == nil else { return (.quantity(unit?.dimension ?? .none), ordered) }
    return (.symbol(ordered.map(\.value.description)), ordered)
  }

  private static func value(_ field: JSONField, _ unit: MeasureUnit?) -> AttributeValue? {
    if let unit { return field.quantity(unit.dimension, like: "6 \(unit.symbol)").map { .quantity($0) } }
    guard let text = field.text() else { return nil }
    if FactSchemaReading.isPath(text), !text.contains(".") { return .word(text) }
    field.report(
      .value, "“\(Excerpt.text(text))” is not one word",
      remedy: "write a word such as “high”, or state the “unit” of the values")
    return nil
  }

  /// Reads the power at the two ends of a range. Nil, with a report, unless the field is a list of two powers
  /// and the attribute has a range.
  static func ends(_ field: JSONField, _ range: ClosedRange<Double>?) -> AttributeCost? {
    guard let items = field.items() else { return nil }
    guard items.count == 2, range != nil else {
      field.report(
        .value, "“power” must be a list of two powers, for the two ends of the “range”",
        remedy: "write it as [\"1 mW\", \"30 mW\"] beside a “range”")
      return nil
    }
    guard let low = items[0].power(), let high = items[1].power() else { return nil }
    for (item, power) in [(items[0], low), (items[1], high)] {
      if let reason = InputBounds.rejectionReason(for: power) {
        item.report(.value, reason, remedy: "write a power from 0 W to 10 kW")
      }
    }
    return .range(low: low, high: high)
  }
}
