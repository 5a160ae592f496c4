import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// A daemon's answer to `status`: its policies, devices and plugins at one instant.
///
/// `text` and `json` contain the same values; `grammar/schemas/status.json` describes the JSON.
struct StatusReport {
  /// A set of policies that is or was in force.
  struct Generation {
    /// The policies as `hiking version 1`, or their files when they are no longer loaded.
    var names: [String]
    var origin: PolicyGeneration.Origin
    var since: LocalMoment
  }

  struct Device {
    /// A demand that the device does not serve.
    struct Unserved {
      var client: ClientID
      var status: Grant.Status
      var rules: [RuleID]

      var text: String {
        let rules = rules.map(\.description).joined(separator: ", ")
        return "\(client) \(status.rawValue)\(rules.isEmpty ? "" : " by \(rules)")"
      }
    }

    var device: DeviceID
    var setting: Setting
    /// The demands that the device does not serve, in the order in which they were raised.
    var unserved: [Unserved]
    var isAvailable: Bool
    var power: Power
    /// The number of faults since the start of the run.
    var faults: Int
    /// The text of the last fault; nil without faults.
    var lastFault: String?
    /// The number of events since the start of the run that the wake-up bound of the device excludes.
    var brokenAssumptions: Int
    /// The samples and fact values that were outside the manifest's ranges.
    var dropped: DroppedReadings
  }

  struct Plugin {
    var device: DeviceID
    var text: String
  }

  var title: String
  var time: LocalMoment
  /// The last change of the wall clock; nil when it never changed.
  var clock: String?
  var current: Generation?
  /// The earlier generations, newest first.
  var earlier: [Generation]
  var devices: [Device]
  /// The requirements that are watched at run time, sorted by name.
  var requirements: [(id: RuleID, activity: RequirementActivity)]
  /// The counts of data that full queues dropped; nil when nothing was dropped.
  var dropped: String?
  var plugins: [Plugin]

  /// Collects the status of a host and its policies.
  init(_ policies: PolicyStore, _ setup: DaemonSetup, _ host: isolated Host, at instant: Instant) {
    let governor = host.snapshot
    let zone = policies.wallClock.rules
    title = setup.name
    time = LocalMoment(instant, zone)
    clock = policies.wallClock.lastChange.flatMap { change in
      change.sentence.map { "\(LocalMoment(change.at, change.rules)) \($0)" }
    }
    let generations = policies.generations
    current = generations.current.map { current in
      Generation(
        names: policies.loaded.policies.map { "\($0.name) version \($0.version)" }, origin: current.origin,
        since: LocalMoment(current.since, zone))
    }
    earlier = generations.earlier.reversed().map {
      Generation(names: $0.policies.map(\.file), origin: $0.origin, since: LocalMoment($0.since, zone))
    }
    devices = governor.vocabulary.manifests.filter { $0.kind != .source }.compactMap { manifest in
      governor.status(of: manifest.device).map { status in
        Device(
          device: manifest.device, setting: status.setting,
          unserved: status.holders.filter { $0.grant.status != .served }.map {
            Device.Unserved(
              client: $0.demand.client, status: $0.grant.status, rules: $0.grant.rules)
          },
          isAvailable: status.isAvailable,
          power: status.power, faults: status.faults, lastFault: status.lastFault,
          brokenAssumptions: status.brokenAssumptions,
          dropped: host.droppedReadings(of: manifest.device))
      }
    }
    requirements = governor.requirementActivity(at: instant).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    dropped = host.lossCounts.text
    plugins = setup.supervised.map {
      Plugin(device: $0.manifest.device, text: $0.statusText(zone))
    }
  }

  /// The report as lines of text for people.
  var text: String {
    var lines = ["\(title), \(time)"]
    if let clock { lines.append("clock      \(clock)") }
    if let current { lines.append("in force   \(Self.text(of: current))") }
    lines += earlier.map { "before     \(Self.text(of: $0))" }
    lines += devices.map { device in
      let setting = device.isAvailable ? "\(device.setting)" : "unavailable"
      let unserved = device.unserved.map { "; \($0.text)" }.joined()
      return
        "device     \(device.device.path) \(setting)\(unserved)\(Self.excluded(from: device))\(Self.faults(of: device))"
    }
    lines += requirements.map { "require    \($0.id) \(Self.text(of: $0.activity))" }
    if let dropped { lines.append("dropped    \(dropped)") }
    lines += plugins.map { "plugin     \($0.text)" }
    return lines.joined(separator: "\n")
  }

  private static func text(of generation: Generation) -> String {
    let names = generation.names.joined(separator: ", ")
    return "\(names), by \(generation.origin.rawValue), since \(generation.since)"
  }

  private static func text(of activity: RequirementActivity) -> String {
    let share = activity.share.map(Amounts.percent) ?? "no part"
    let violations = activity.violations == 1 ? "1 violation" : "\(activity.violations) violations"
    return "evaluated \(share) of the time, \(violations)"
  }

  /// Returns the number of events that the bound of a device excludes, as a part of its line.
  private static func excluded(from device: Device) -> String {
    guard device.brokenAssumptions > 0 else { return "" }
    let noun = device.brokenAssumptions == 1 ? "change" : "changes"
    return "; \(device.brokenAssumptions) client \(noun), which its wake-up bound excludes"
  }

  /// Returns the faults and dropped readings of a device, as the end of its line.
  private static func faults(of device: Device) -> String {
    var text = ""
    if let last = device.lastFault {
      text = device.faults == 1 ? "; fault: \(last)" : "; \(device.faults) faults, the last: \(last)"
    }
    let count = device.dropped.count
    guard count > 0 else { return text }
    let noun = count == 1 ? "1 reading dropped" : "\(count) readings dropped, the last"
    return text + "; \(noun): \(device.dropped.lastReason)"
  }

  /// The report as one JSON object.
  var json: JSONValue {
    [
      "title": JSONValue(title), "local_time": JSONValue(time.dated),
      "clock": clock.map { JSONValue($0) } ?? .null,
      "in_force": current.map { Self.value(of: $0) } ?? .null,
      "before": JSONValue(earlier.map { Self.value(of: $0) }),
      "devices": JSONValue(devices.map { Self.value(of: $0) }),
      "requirements": JSONValue(
        requirements.map { JSONMember($0.id.description, $0.activity.json) }),
      "dropped": dropped.map { JSONValue($0) } ?? .null,
      "plugins": JSONValue(
        plugins.map { ["device": JSONValue($0.device.path), "text": JSONValue($0.text)] }),
    ]
  }

  private static func value(of generation: Generation) -> JSONValue {
    [
      "policies": JSONValue(generation.names.map { JSONValue($0) }),
      "origin": JSONValue(generation.origin.rawValue), "since": JSONValue(generation.since.dated),
    ]
  }

  private static func value(of device: Device) -> JSONValue {
    [
      "device": JSONValue(device.device.path), "available": JSONValue(device.isAvailable),
      "on": JSONValue(device.setting.isOn), "setting": JSONValue("\(device.setting)"),
      "unserved": JSONValue(
        device.unserved.map { unserved in
          [
            "client": JSONValue(unserved.client.name), "status": JSONValue(unserved.status.rawValue),
            "rules": JSONValue(unserved.rules.map { JSONValue($0.description) }),
          ]
        }),
      "power_nW": JSONValue(device.power.nanowatts), "faults": JSONValue(device.faults),
      "last_fault": device.lastFault.map { JSONValue($0) } ?? .null,
      "broken_assumptions": JSONValue(device.brokenAssumptions),
      "dropped_readings": JSONValue(device.dropped.count),
    ]
  }
}
