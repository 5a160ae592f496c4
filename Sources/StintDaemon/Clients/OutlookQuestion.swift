import StintGovernor
import StintLanguage
import StintModel
package import StintRuntime
import StintServices
package import StintUnits

/// The question why a device does not serve a client, with the state of the daemon at one instant.
///
/// Making the question is fast. The calculation of the answer takes longer, because it tries changes of facts
/// on a copy of the governor. So the answer is calculated outside of the loop of the daemon.
package struct OutlookQuestion: Sendable {
  private let device: DeviceID
  private let client: ClientID
  private let permissions: Permissions
  private let governor: Governor
  private let policies: [CheckedPolicy]
  private let pauses: [PausedService]
  private let now: Instant

  /// Makes a question about a device. Nil when the client is not attached.
  init?(
    _ device: DeviceID, of client: ClientID, policies: [CheckedPolicy], _ host: isolated Host, at now: Instant
  ) {
    guard let status = host.serviceBoard.status(of: client), status.isAttached else { return nil }
    self.device = device
    self.client = client
    self.policies = policies
    permissions = status.permissions
    governor = host.snapshot
    pauses = host.serviceBoard.pausedServices
    self.now = max(now, governor.now)
  }

  /// The names of the devices that serve requests.
  package var deviceNames: [String] {
    governor.vocabulary.manifests.filter { $0.kind != .source }.map(\.device.path)
  }

  /// Returns the answer. Nil when no device has this name, and for a device of kind `source`, which serves no
  /// requests. May take a tenth of a second or more.
  package func answer() -> ClientOutlook? {
    let report = WhyNotReport(
      device: device, of: client, governor: governor, policies: policies, pauses: pauses)
    guard let report else { return nil }
    // For a positioning device, the permission for coarse positions is enough: a client with this permission
    // gets its positions from the same devices.
    let roles = governor.vocabulary.roles
    let isPositioning = roles.roles(of: device).contains(.positioning)
    let need = isPositioning ? .location(.whenInUse) : roles.need(forSamplesOf: device)
    // Some services, such as `orientation`, use a device without this permission.
    let failure = report.happens || permissions.allow(need) ? nil : permissions.failure(need)
    return ClientOutlook(report: report, lackingPermission: failure?.sentence, now: now)
  }
}

/// The answer to an `OutlookQuestion`.
package struct ClientOutlook: Sendable {
  /// The report on the demands of the client.
  package let report: WhyNotReport
  /// The sentence about a permission that the client lacks; nil when it has the necessary permission.
  package let lackingPermission: String?
  /// The instant of the question. The report starts from the last step of the governor, which may be earlier.
  let now: Instant

  /// The earliest instant at which the client can be served if the obstacles are removed now. Nil when the
  /// instant is unknown.
  package var earliest: Instant? { report.earliest.map { max($0, now) } }

  /// The instant at which the client is served if no fact and no request changes. Nil when there is no such
  /// instant, or when it is unknown.
  package var expected: Instant? {
    guard lackingPermission == nil else { return nil }
    if let unaided = report.unaided { return max(unaided, now) }
    let isOnlyTime = report.obstacles.allSatisfy { obstacle in
      if case .directive(_, .some) = obstacle { true } else { false }
    }
    return isOnlyTime && !report.obstacles.isEmpty ? earliest : nil
  }
}
