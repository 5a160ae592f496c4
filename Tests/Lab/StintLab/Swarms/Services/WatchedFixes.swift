import StintModel
import StintServices
import StintUnits

/// Checks the fixes of one stream of updates.
///
/// The fixes arrive in order, each once, and no fix is from the future. A fix that was not held is no older
/// than the maximum age of the device's facts.
struct WatchedFixes: Sendable {
  private var newest: [DeviceID: Instant] = [:]
  /// True when a deferral, a policy or a fault held samples since the last delivery.
  var mayBeOld = false

  mutating func take(
    _ fixes: [Fix], oldest: [DeviceID: TimeSpan], at instant: Instant
  ) -> [WatchedService.Finding] {
    defer { mayBeOld = false }
    guard let last = fixes.last else { return [(.notices, "delivers no fixes")] }
    var findings: [WatchedService.Finding] = []
    if zip(fixes, fixes.dropFirst()).contains(where: { $0.instant > $1.instant }) {
      findings.append((.notices, "delivers fixes out of order"))
    }
    for fix in fixes {
      if let before = newest[fix.device], fix.instant <= before {
        let age = before - fix.instant
        findings.append(
          (.notices, "delivers a fix of \(fix.device) that is not newer than the last (\(age) older)"))
      }
      newest[fix.device] = fix.instant
    }
    if last.instant > instant { findings.append((.freshness, "delivers a fix from the future")) }
    // A fix with the flag `isStale` may be old.
    if !mayBeOld, !last.isStale, let most = oldest[last.device], instant - last.instant > most {
      findings.append((.freshness, "delivers a fix of \(last.device) that is \(instant - last.instant) old"))
    }
    return findings
  }
}
