import StintModel
import StintServices
import StintUnits

/// The fixes that one stream of updates handed out: in order, each once, none from the future, none older than facts of
/// its device are believed, unless it was held.
struct WatchedFixes: Sendable {
  private var newest: [DeviceID: Instant] = [:]
  /// Whether something was held since the last delivery, by a deferral, a policy or a fault.
  var mayBeOld = false

  mutating func take(
    _ fixes: [LocationFix], oldest: [DeviceID: TimeSpan], at instant: Instant
  ) -> [WatchedService.Finding] {
    defer { mayBeOld = false }
    guard let last = fixes.last else { return [(.notices, "hands out no fixes")] }
    var findings: [WatchedService.Finding] = []
    if zip(fixes, fixes.dropFirst()).contains(where: { $0.instant > $1.instant }) {
      findings.append((.notices, "hands out fixes out of order"))
    }
    for fix in fixes {
      if let before = newest[fix.device], fix.instant <= before {
        findings.append(
          (.notices, "hands out a fix of \(fix.device) \(before - fix.instant) behind the last"))
      }
      newest[fix.device] = fix.instant
    }
    if last.instant > instant { findings.append((.freshness, "hands out a fix from the future")) }
    // What is flagged is not handed out as current.
    if !mayBeOld, !last.isStale, let most = oldest[last.device], instant - last.instant > most {
      findings.append((.freshness, "hands out a fix of \(last.device) that is \(instant - last.instant) old"))
    }
    return findings
  }
}
