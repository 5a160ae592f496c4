import StintFormats
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
  private let undecided: [UndecidedService]
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
    undecided = host.serviceBoard.undecidedServices
    self.now = max(now, governor.now)
  }

  /// Returns the answer. May take a tenth of a second or more.
  ///
  /// - Throws: `noSuchDevice` when no device has this name, and for a device of kind `source`, which serves
  ///   no requests.
  package func answer() throws(Problem) -> ClientOutlook {
    // For a positioning device, the permission for coarse positions is enough: a client with this permission
    // gets its positions from the same devices. Some services, such as `orientation`, use a device without
    // this permission; they are served, so that the report contains no obstacle.
    let roles = governor.vocabulary.roles
    let isPositioning = roles.roles(of: device).contains(.positioning)
    let need = isPositioning ? .location(.whenInUse) : roles.need(forSamplesOf: device)
    let lacking = permissions.allow(need) ? nil : permissions.failure(need).sentence
    let report = WhyNotReport(
      device: device, of: client, governor: governor, policies: policies, pauses: pauses, lacking: lacking,
      undecided: undecided)
    guard let report else { throw unknownDevice }
    return ClientOutlook(report: report, now: now)
  }
}

extension OutlookQuestion {
  /// The answer as a message to a client program.
  var message: DaemonMessage {
    do throws(Problem) {
      return DaemonMessage(outlook: OutlookMessage(try answer()))
    } catch {
      return .problem(error, nil)
    }
  }

  private var unknownDevice: Problem {
    let manifests = governor.vocabulary.manifests
    let names = manifests.filter { $0.kind != .source }.map(\.device.path).joined(separator: ", ")
    let cause =
      manifests.contains { $0.device == device }
      ? "\(device) serves no requests, because it is a source"
      : "no device is called “\(Excerpt.text(device.path))”"
    return Problem(.noSuchDevice, cause: cause, remedy: "the devices that serve requests are \(names)")
  }
}

/// The answer to an `OutlookQuestion`.
package struct ClientOutlook: Sendable {
  /// The report on the demands of the client.
  package let report: WhyNotReport
  /// The instant of the question. The report starts from the last step of the governor, which may be earlier.
  let now: Instant

  /// The earliest instant at which the client can be served if the obstacles are removed now. Nil when the
  /// instant is unknown.
  package var earliest: Instant? { report.earliest.map { max($0, now) } }

  /// The instant at which the client is served if no fact and no request changes. Nil when there is no such
  /// instant, or when it is unknown.
  package var expected: Instant? {
    if let unaided = report.unaided { return max(unaided, now) }
    let isOnlyTime = report.obstacles.allSatisfy { obstacle in
      if case .directive(_, .some) = obstacle { true } else { false }
    }
    return isOnlyTime && !report.obstacles.isEmpty ? earliest : nil
  }
}
