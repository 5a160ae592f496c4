import StintFormats

/// What a daemon did: its day, and the reloads on the way.
public struct LiveReport: Sendable {
  public var simulation: SimulationReport
  /// One JSON object for each reload, in order.
  var reloads: [JSONValue]

  /// The report as one JSON object on one line: that of the day, and `reloads`.
  public var jsonText: String {
    guard case .object(var members) = simulation.json.content else { return simulation.jsonText }
    members.append(JSONMember("reloads", JSONValue(reloads)))
    return ReportKind.run.text(of: JSONValue(members))
  }

  /// The report of the day, as text; reloads were reported when they happened.
  public func text(_ paint: Paint) -> String { simulation.text(paint) }
}
