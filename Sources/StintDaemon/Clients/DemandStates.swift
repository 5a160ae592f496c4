package import StintGovernor
package import StintModel
import StintPluginHost
import StintRuntime
package import StintServices
package import StintUnits

/// The status of a demand with a new grant, for client programs and for the clients of an app.
package struct DemandState: Sendable {
  package let grant: Grant
  /// The device of the demand.
  package let target: DeviceID
  /// The latest instant at which the status ends if no fact changes; nil when it is unknown.
  package let until: Instant?
  /// The text of the present fault of the device that serves the demand; nil without a fault.
  package let fault: String?
  /// The reason why no device can serve the demand; nil for every status except `unavailable`.
  package let reason: String?
}

/// Determines the status of demands, and the reasons of unavailable devices.
package struct DemandStates: Sendable {
  private let policies: PolicyStore
  private let plugins: PluginSet

  init(_ policies: PolicyStore, _ plugins: PluginSet) {
    self.policies = policies
    self.plugins = plugins
  }

  /// Returns the status of a demand with a new grant.
  package func state(
    of grant: Grant, to demand: Demand, _ governor: borrowing Governor, at instant: Instant
  ) -> DemandState {
    DemandState(
      grant: grant, target: demand.target, until: end(of: grant, to: demand, governor),
      fault: governor.fault(behind: grant),
      reason: grant.status == .unavailable ? reason(for: [demand.target], at: instant) : nil)
  }

  /// Returns the failure of a refused request. The sentence names the reasons of unavailable devices.
  package func explained(_ failure: ServiceFailure, at instant: Instant) -> ServiceFailure {
    failure.devices.isEmpty
      ? failure : ServiceFailure(failure.code, reason(for: failure.devices, at: instant))
  }

  /// Returns the reason why none of these devices is available.
  private func reason(for devices: [DeviceID], at instant: Instant) -> String {
    devices.map { device in
      guard plugins.index(of: device) != nil else { return "there is no \(device)" }
      let reason = interruption(of: device, at: instant).map { ": \($0)" } ?? ""
      return "\(device) is not available\(reason)"
    }.joined(separator: "; ")
  }

  /// Returns why the plugin of a device does not serve; nil while it works, and for an unknown device.
  package func interruption(of device: DeviceID, at instant: Instant) -> String? {
    plugins.index(of: device).flatMap { plugins.interruption($0, at: instant) }
  }

  /// Returns the latest instant at which the status of a demand's new grant ends.
  ///
  /// Rules may limit, pause, stop or defer the demand. The status then ends with the last of these rules, if
  /// no fact changes. The status of a demand on an unavailable device ends at the next start of the plugin's
  /// process.
  ///
  /// - Returns: nil in three cases. No rule limits a demand on an available device. No start is planned for
  ///   the process of an unavailable device. The end depends on a fact or on the presence of the client.
  private func end(of grant: Grant, to demand: Demand, _ governor: borrowing Governor) -> Instant? {
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
