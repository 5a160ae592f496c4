import StintDaemon
import StintFormats
public import StintUnits

/// The report of a daemon run: its results and its reloads.
public struct LiveReport: Sendable {
  /// The results of the run, in the form of a simulation report.
  public var simulation: SimulationReport
  /// The reason why the final state is not saved. If that state is saved, the reason why the last permission
  /// decisions about clients are not saved. Nil when all requested data is saved.
  public var saveProblem: Problem?
  /// One JSON object for each reload, in order.
  var reloads: [JSONValue]

  /// The report as one line of JSON: the members of the simulation report, and `reloads`.
  public var jsonText: String {
    guard case .object(var members) = simulation.json.content else { return simulation.jsonText }
    members.append(JSONMember("reloads", JSONValue(reloads)))
    return ReportKind.run.text(of: JSONValue(members))
  }

  /// Returns the results as text, without the reloads, which the run has already logged.
  public func text(_ paint: Paint) -> String { simulation.text(paint) }
}
