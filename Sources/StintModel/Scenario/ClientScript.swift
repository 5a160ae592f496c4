public import StintUnits

/// The clients and the changes of facts that a scenario or a site file contains.
public struct ClientScript: Equatable, Sendable {
  /// The clients with their requests.
  public var clients: [ScenarioClient]
  /// The changes of facts.
  public var changes: [FactChange]
  /// The instant from which all times of the script are measured.
  public var start: Instant
  /// The length of the script; `TimeSpan.unlimited` for a site.
  public var duration: TimeSpan

  /// The end of the script: events at or after this instant are omitted.
  public var end: Instant { start + duration }

  /// Makes a script.
  public init(
    clients: [ScenarioClient], changes: [FactChange] = [], start: Instant, duration: TimeSpan = .unlimited
  ) {
    self.clients = clients
    self.changes = changes
    self.start = start
    self.duration = duration
  }
}

extension Scenario {
  /// The clients and the changes of facts of the scenario.
  public var script: ClientScript {
    ClientScript(clients: clients, changes: changes, start: start, duration: duration)
  }
}

extension Site {
  /// Returns the clients and facts of the site as a script that begins at `start` and has no end.
  public func script(from start: Instant) -> ClientScript {
    ClientScript(
      clients: clients, changes: facts.isEmpty ? [] : [FactChange(at: .zero, values: facts)], start: start)
  }
}
