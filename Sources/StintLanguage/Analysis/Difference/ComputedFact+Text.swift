import StintModel
import StintUnits

extension ComputedFact {
  /// A short description of how the fact is computed.
  var text: String {
    switch source {
    case .wakeups(let device): "wake-ups of \(device) within an hour"
    case .energy(let device): "energy of \(device) since midnight"
    case .respite(let device, let bound):
      "expected time within \(Quantity(bound, .length)) of the last position of \(device)"
    case .unexplained: "time on without a known cause"
    case .budget(let budget):
      "\(Quantity(Double(budget.amount.nanojoules) / 1e9, .energy)) per \(budget.period.rawValue) from "
        + "\(budget.from) on \(budget.devices.map(\.path).joined(separator: ", "))"
    case .zone(let zone, let question):
      "\(question.rawValue) \(Self.text(zone.shape)), enter after \(zone.enterAfter), exit after \(zone.exitAfter)"
    case .rule(let rule): "whether \(rule) is in force"
    case .machine: "one of " + Self.words(schema)
    case .observed(let observation):
      schema.meaning + (observation.device.map { ", of \($0)" } ?? "")
    case .client, .grant, .keyed: schema.meaning
    }
  }

  private static func text(_ shape: Zone.Shape) -> String {
    switch shape {
    case .circle(let place, let radius):
      "circle \(place.latitude) \(place.longitude) radius \(Quantity(radius, .length))"
    case .beacon(let identity, let major, let minor):
      "beacon \"\(identity)\"" + (major.map { " major \($0)" } ?? "") + (minor.map { " minor \($0)" } ?? "")
    }
  }

  private static func words(_ schema: FactSchema) -> String {
    guard case .symbol(let words) = schema.type else { return "" }
    return words.joined(separator: ", ")
  }
}
