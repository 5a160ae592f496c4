import StintGovernor
import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

extension StatusReport {
  /// The report as lines of text for people. Dangerous characters of names and messages are escaped.
  var text: String {
    var lines = ["\(title), \(time)", "daemon     \(info.text), up \(uptime.roundedToSeconds)"]
    if let clock { lines.append("clock      \(clock)") }
    if let current {
      lines.append("in force   \(Self.text(of: current))")
      lines += current.files.map { "file       \($0.name), SHA-256 \($0.hash)" }
    }
    if let refusal {
      lines.append("refused    the policy files of \(refusal.at.dated); the policies above run instead")
      lines += refusal.text.split(separator: "\n").map { "           \($0)" }
    }
    lines += earlier.map { "before     \(Self.text(of: $0))" }
    if !rules.isEmpty { lines.append("rules      \(rules.map(\.description).joined(separator: ", "))") }
    lines += diskProblems.map { "disk       \($0)" }
    lines += fileProblems.map { "problem    \($0)" }
    lines += waitingChanges.map { "restart    needed for \($0)" }
    lines += devices.flatMap { Self.lines(of: $0) }
    lines += clients.map { "client     \($0.text)" }
    lines.append(
      "energy     \(Amounts.joules(ledger.total)) J" + Self.list(ledger.byRule.map { ("\($0)", $1) }))
    lines += facts.map { fact in
      let source = fact.source?.path ?? "a client, the site file or the scenario"
      return "fact       \(fact.path) \(fact.value), from \(source), \(fact.since)"
    }
    lines += requirements.map { "require    \($0.id) \(Self.text(of: $0.activity))" }
    if droppedLogLines > 0 {
      lines.append("log        \(droppedLogLines == 1 ? "1 line" : "\(droppedLogLines) lines") dropped")
    }
    if let dropped { lines.append("dropped    \(dropped)") }
    lines += plugins.map { plugin in
      "plugin     \(plugin.text)\(plugin.hash.map { ", program SHA-256 \($0)" } ?? "")"
    }
    return lines.map(VisibleText.line).joined(separator: "\n")
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

  /// Returns the end of a line, which lists each name with its energy in joules; empty without amounts.
  private static func list(_ amounts: [(name: String, energy: Energy)]) -> String {
    let parts = amounts.sorted { $0.name < $1.name }.map { "\($0.name) \(Amounts.joules($0.energy)) J" }
    return parts.isEmpty ? "" : "; \(parts.joined(separator: ", "))"
  }

  /// Returns the line of a device and one line for each text of its faults.
  private static func lines(of device: Device) -> [String] {
    let setting = device.isAvailable ? "\(device.setting)" : "unavailable"
    let unserved = device.unserved.map { "; \($0.text)" }.joined()
    let energy = device.energy > .zero ? "; \(Amounts.joules(device.energy)) J" : ""
    let line = "device     \(device.device.path) \(setting)\(unserved)\(excluded(from: device))\(energy)"
    return [line + counts(of: device)] + device.faults.map { "fault      \(device.device.path) \($0.line)" }
  }

  /// Returns a part of a device's line: the number of changes that contradict the assumptions of its
  /// wake-up bound. Empty without such changes.
  private static func excluded(from device: Device) -> String {
    guard device.brokenAssumptions > 0 else { return "" }
    let count = "\(device.brokenAssumptions) \(device.brokenAssumptions == 1 ? "change" : "changes")"
    return "; \(count) of clients or availability violated the assumptions of its wake-up bound"
  }

  /// Returns the end of a device's line: the numbers of its faults and of its dropped values and samples.
  private static func counts(of device: Device) -> String {
    var text = ""
    if device.faultCount > 0 {
      text = device.faultCount == 1 ? "; 1 fault" : "; \(device.faultCount) faults"
    }
    let count = device.dropped.count
    guard count > 0 else { return text }
    let noun = count == 1 ? "1 value dropped" : "\(count) values dropped, the last"
    return text + "; \(noun): \(device.dropped.lastReason)"
  }
}

extension StatusReport.Device.Unserved {
  fileprivate var text: String {
    // The rules are not the reason why a device is unavailable; they apply when the device is available
    // again.
    let rules = status == .unavailable ? "" : rules.map(\.description).joined(separator: ", ")
    return "\(client) \(status.rawValue)\(rules.isEmpty ? "" : " by \(rules)")"
  }
}

extension StatusReport.Device.Fault {
  fileprivate var line: String {
    count == 1 ? "\(last.dated): \(text)" : "\(count) times, \(first.dated) to \(last.dated): \(text)"
  }
}

extension StatusReport.Client {
  fileprivate var text: String {
    let presence = client.presence.map { ", in the \($0.rawValue)" } ?? ""
    let attached = client.isAttached ? "attached" : "not attached"
    let noun = services == 1 ? "1 request" : "\(services) requests"
    let waiting = waiting.map { "; “\($0.request)” waits: \($0.reason)" }.joined()
    let paused = paused.map { "; “\($0.id.name)”: \($0.pause)" }.joined()
    return "\(client.id) \(attached), \(client.permissions.text)\(presence), \(noun), "
      + "\(Amounts.joules(energy)) J\(waiting)\(paused)"
  }
}
