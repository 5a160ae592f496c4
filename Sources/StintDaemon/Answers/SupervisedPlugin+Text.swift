import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

extension SupervisedPlugin {
  /// Returns the plugin's status in one line: `location.gnss serves, process 4711, restarted once`.
  nonisolated func text(of status: ChildStatus, _ zone: TimeZoneRules) -> String {
    var text = manifest.device.path + " "
    guard !status.isRemoved else { return text + "was removed from the site file" }
    switch status.state {
    case .idle: text += "has not been started"
    case .starting: text += "is starting"
    case .serving: text += "serves"
    case .closing: text += "is closing"
    case .dying(let failure): text += "is being stopped" + (failure.map { "; \($0)" } ?? "")
    case .waiting(let until, let failure):
      text += "starts again at \(LocalMoment(until, zone)); \(failure)"
    case .quarantined(let failure):
      // A library cannot be loaded again.
      let end = self is ChildPlugin ? " until SIGHUP or a changed seal" : ""
      text += "is quarantined\(end); \(failure)"
    case .finished: text += "has ended"
    }
    if let process = status.process { text += ", process \(process)" }
    if status.restarts > 0 {
      text += status.restarts == 1 ? ", restarted once" : ", restarted \(status.restarts) times"
    }
    let lost = status.lostSamples
    if lost > 0 { text += lost == 1 ? ", 1 sample lost" : ", \(lost) samples lost" }
    let held = status.lostHeldSamples
    if held > 0 { text += held == 1 ? ", 1 held sample lost" : ", about \(held) held samples lost" }
    let faults = status.droppedFaults
    if faults > 0 { text += faults == 1 ? ", 1 fault dropped" : ", \(faults) faults dropped" }
    if !status.held.isEmpty {
      let missing = status.missing.map(\.rawValue).joined(separator: ", ")
      text += missing.isEmpty ? ", contained by every mechanism" : ", contained without \(missing)"
    }
    let attempts = status.attempts.map { $0.count == 1 ? $0.call : "\($0.call) \($0.count) times" }
    if !attempts.isEmpty { text += "; refused system calls: " + attempts.joined(separator: ", ") }
    // A failure already quotes the last output line.
    if let line = status.lastOutput, status.failure == nil { text += "; its last output is “\(line)”" }
    return text
  }
}
