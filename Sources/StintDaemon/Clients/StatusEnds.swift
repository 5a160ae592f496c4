package import StintGovernor
package import StintModel
import StintPluginHost
import StintRuntime
package import StintUnits

/// Determines the instant at which the status of a demand ends, for client programs and for the clients of an
/// app.
package struct StatusEnds: Sendable {
  private let policies: PolicyStore
  private let plugins: PluginSet

  init(_ policies: PolicyStore, _ plugins: PluginSet) {
    self.policies = policies
    self.plugins = plugins
  }

  /// Returns the status of a demand with a new grant, as client programs get it.
  func event(of grant: Grant, to demand: Demand, _ governor: borrowing Governor) -> StatusEvent {
    StatusEvent(
      grant, until: end(of: grant, to: demand, governor), target: demand.target,
      fault: governor.fault(behind: grant))
  }

  /// Returns the latest instant at which the status of a demand's new grant ends.
  ///
  /// Rules may limit, pause, stop or defer the demand. The status then ends with the last of these rules, if
  /// no fact changes. The status of a demand on an unavailable device ends at the next start of the plugin's
  /// process.
  ///
  /// - Returns: nil in three cases. No rule limits a demand on an available device. No start is planned for
  ///   the process of an unavailable device. The end depends on a fact or on the presence of the client.
  package func end(of grant: Grant, to demand: Demand, _ governor: borrowing Governor) -> Instant? {
    switch grant.status {
    case .background: return nil
    case .unavailable:
      guard let place = plugins.index(of: demand.target) else { return nil }
      return (plugins.members[place].plugin as? any SupervisedPlugin)?.status.nextStart
    case .served, .paused, .stopped, .deferred:
      guard !grant.rules.isEmpty else { return nil }
      let governor = copy governor
      return governor.limitEnd(of: demand, grant, policies: policies.entered.policies)
    }
  }
}
