package import StintFormats
import StintGovernor
import StintModel
package import StintRuntime
import StintServices
import StintUnits

extension WhyNotReport {
  /// The report as one line of JSON. `earliest_ns` is null when the time is unknown. `unaided_ns` is null
  /// when the device stays off, or the rule stays out of force, until a fact or a demand changes.
  package var jsonText: String { ReportKind.whyNot.text(of: json) }

  /// The report in the format of `grammar/schemas/why-not.json`.
  package var json: JSONValue {
    [
      "thing": JSONValue(thing), "happens": JSONValue(happens),
      "obstacles": JSONValue(
        obstacles.map { obstacle in
          ["kind": JSONValue(Self.kind(obstacle)), "text": JSONValue(words(obstacle))]
        }),
      "conditions": JSONValue(conditions.map { JSONValue($0) }),
      "closed_readings": JSONValue(
        maskedReadings.map { reading in
          [
            "rule": JSONValue(reading.rule.description), "fact": JSONValue(path(of: reading)),
            "devices": JSONValue(reading.devices.map { JSONValue($0.path) }),
            "text": JSONValue(words(reading)),
          ]
        }),
      "paused": JSONValue(
        pauses.map { service in
          JSONValue([JSONMember("client", JSONValue(service.id.client.name))] + service.members)
        }),
      "earliest_ns": earliest.map { JSONValue($0.nanoseconds) } ?? .null,
      "unaided_ns": unaided.map { JSONValue($0.nanoseconds) } ?? .null,
    ]
  }

  private static func kind(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .fact: "fact"
    case .demand: "demand"
    case .paused: "paused"
    case .missing: "missing"
    case .permission: "permission"
    case .background: "background"
    case .directive: "directive"
    }
  }
}

extension PausedService {
  /// The members of a paused request in the reports `status` and `why-not`.
  var members: [JSONMember] {
    [
      JSONMember("request", JSONValue(id.name)), JSONMember("device", JSONValue(device.path)),
      JSONMember("reason", JSONValue(pause.reason.rawValue)),
      JSONMember("until_ns", JSONValue(pause.next.nanoseconds)),
      JSONMember("text", JSONValue(pause.description)),
    ]
  }
}
