import StintFormats
import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

extension StatusReport {
  /// The report as one JSON object.
  var json: JSONValue {
    [
      "title": JSONValue(title), "daemon": daemon, "local_time": JSONValue(time.dated),
      "clock": clock.map { JSONValue($0) } ?? .null,
      "in_force": current.map { Self.value(of: $0) } ?? .null,
      "refused": refusal.map { ["text": JSONValue($0.text), "at": JSONValue($0.at.dated)] } ?? .null,
      "before": JSONValue(earlier.map { Self.value(of: $0) }),
      "rules": JSONValue(rules.map { JSONValue($0.description) }),
      "disk_problems": JSONValue((diskProblems + fileProblems).map { JSONValue($0) }),
      "waits_for_restart": JSONValue(waitingChanges.map { JSONValue($0) }),
      "devices": JSONValue(devices.map { Self.value(of: $0) }),
      "clients": JSONValue(clients.map { Self.value(of: $0) }),
      "energy": energy,
      "facts": JSONValue(facts.map { Self.value(of: $0) }),
      "requirements": JSONValue(
        requirements.map { JSONMember($0.id.description, $0.activity.json) }),
      "dropped_log_lines": JSONValue(droppedLogLines), "dropped": dropped.map { JSONValue($0) } ?? .null,
      "plugins": JSONValue(plugins.map { Self.value(of: $0) }),
    ]
  }

  private var daemon: JSONValue {
    [
      "version": info.version.map { JSONValue($0) } ?? .null,
      "process": JSONValue(Int64(info.process)), "uptime_ns": JSONValue(uptime.nanoseconds),
    ]
  }

  private var energy: JSONValue {
    let rules = ledger.byRule.map { (name: $0.description, energy: $1) }.sorted { $0.name < $1.name }
    return [
      "total_nJ": JSONValue(ledger.total.nanojoules),
      "rules_nJ": JSONValue(rules.map { JSONMember($0.name, JSONValue($0.energy.nanojoules)) }),
    ]
  }

  private static func value(of generation: Generation) -> JSONValue {
    [
      "policies": JSONValue(generation.names.map { JSONValue($0) }),
      "files": JSONValue(
        generation.files.map { ["file": JSONValue($0.name), "sha256": JSONValue($0.hash)] }),
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
      "power_nW": JSONValue(device.power.nanowatts), "energy_nJ": JSONValue(device.energy.nanojoules),
      "faults": JSONValue(device.faultCount),
      "last_fault": device.faults.last.map { JSONValue($0.text) } ?? .null,
      "fault_history": JSONValue(
        device.faults.map { fault in
          [
            "text": JSONValue(fault.text), "count": JSONValue(fault.count),
            "first": JSONValue(fault.first.dated), "last": JSONValue(fault.last.dated),
          ]
        }),
      "broken_assumptions": JSONValue(device.brokenAssumptions),
      "dropped_readings": JSONValue(device.dropped.count),
    ]
  }

  private static func value(of entry: Client) -> JSONValue {
    [
      "client": JSONValue(entry.client.id.name), "attached": JSONValue(entry.client.isAttached),
      "permissions": entry.client.permissions.json,
      "presence": entry.client.presence.map { JSONValue($0.rawValue) } ?? .null,
      "requests": JSONValue(entry.services), "energy_nJ": JSONValue(entry.energy.nanojoules),
      "waiting": JSONValue(
        entry.waiting.map { ["request": JSONValue($0.request), "reason": JSONValue($0.reason)] }),
      "paused": JSONValue(entry.paused.map { JSONValue($0.members) }),
    ]
  }

  private static func value(of fact: Fact) -> JSONValue {
    [
      "fact": JSONValue(fact.path), "value": JSONValue(fact.value),
      "source": fact.source.map { JSONValue($0.path) } ?? .null, "since": JSONValue(fact.since.dated),
    ]
  }

  private static func value(of plugin: Plugin) -> JSONValue {
    let status = plugin.status
    return [
      "device": JSONValue(plugin.device.path), "sha256": JSONValue(plugin.hash),
      "state": JSONValue(status.isRemoved ? "removed" : status.state.word),
      "failure": JSONValue(status.failure.map(\.description)),
      "next_start": JSONValue(plugin.nextStart?.dated),
      "process": status.process.map { JSONValue(Int64($0)) } ?? .null,
      "restarts": JSONValue(status.restarts), "lost_samples": JSONValue(Int128(status.lostSamples)),
      "lost_held_samples": JSONValue(status.lostHeldSamples),
      "dropped_faults": JSONValue(status.droppedFaults),
      "missing_containment": JSONValue(status.missing.map { JSONValue($0.rawValue) }),
      "refused_calls": JSONValue(
        status.attempts.map { ["call": JSONValue($0.call), "count": JSONValue(Int128($0.count))] }),
      "last_output": JSONValue(status.lastOutput), "text": JSONValue(plugin.text),
    ]
  }
}
