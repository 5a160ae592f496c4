import StintModel
import StintUnits

/// An order of a developer to a plugin that `stint plugin run` runs.
enum PluginOrder: Hashable {
  case apply(Setting)
  case drain
  case read
  case wait(TimeSpan)
  case end

  /// The forms of the orders, for help and for errors.
  static let forms = "on [ATTRIBUTE VALUE, …, hold], off, drain, read, wait TIME, end"

  /// Reads an order such as `on rate 5 Hz, accuracy 10 m, hold`. Nil for an empty line.
  ///
  /// - Throws: `Problem` when the order is unknown, when the device has no such attribute or no facts to
  ///   read, or when a value is invalid.
  static func read(_ line: String, for manifest: Manifest) throws(Problem) -> PluginOrder? {
    let words = line.split(separator: " ")
    guard let verb = words.first else { return nil }
    let rest = words.dropFirst().joined(separator: " ")
    switch verb {
    case "on": return .apply(try setting(rest, manifest))
    case "off" where rest.isEmpty: return .apply(.off)
    case "drain" where rest.isEmpty: return .drain
    case "read" where rest.isEmpty:
      guard manifest.facts.contains(where: { $0.reading != nil }) else {
        throw problem(
          "\(manifest.device) has no facts that are read",
          remedy: "write one of: on, off, drain, wait TIME, end")
      }
      return .read
    case "end" where rest.isEmpty: return .end
    case "wait":
      let time = try quantity(rest, "wait")
      guard time.dimension == .time, let span = TimeSpan(seconds: time.value) else {
        throw problem("“\(rest)” is not a time", remedy: "write for example: wait 3 s")
      }
      return .wait(span)
    default: throw problem("“\(line)” is not an order", remedy: "write one of: \(forms)")
    }
  }

  private static func setting(_ text: String, _ manifest: Manifest) throws(Problem) -> Setting {
    var setting = Setting(isOn: true)
    var attributes: [String: AttributeValue] = [:]
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      guard let name = words.first.map(String.init) else { continue }
      if name == "hold", words.count == 1 {
        setting.isHolding = true
        continue
      }
      let value = words.dropFirst().joined(separator: " ")
      guard manifest.attribute(named: name) != nil, !value.isEmpty else {
        let names = manifest.attributes.map { "\($0.name) VALUE" } + ["hold"]
        throw problem(
          "“\(part.drop { $0 == " " })” is not a setting of \(manifest.device)",
          remedy: "write one of: \(names.joined(separator: ", "))")
      }
      switch name {
      case "accuracy": setting.accuracy = try quantity(value, name).value
      case "rate":
        guard let period = try quantity(value, name).period else {
          throw problem(
            "“\(value)” is not a rate", remedy: "write for example: rate 5 Hz, or rate 1 per 10 s")
        }
        setting.period = period
      case "activity": setting.activity = value
      default: attributes[name] = AttributeValue(text: value)
      }
    }
    setting.attributes = AttributeValues(attributes)
    return setting
  }

  private static func quantity(_ text: String, _ name: String) throws(Problem) -> Quantity {
    do { return try Quantity(parsing: text) } catch {
      throw problem("“\(text)” is not a value of “\(name)”", remedy: "write a number and a unit")
    }
  }

  private static func problem(_ cause: String, remedy: String) -> Problem {
    Problem(.content, place: "order", cause: cause, remedy: remedy)
  }
}
