import StintModel
import StintUnits

extension PolicyChecker {
  /// Advises on a request for one fix that ends before a device that was off for long can have one.
  ///
  /// A cheaper device that knows well enough answers instead, and needs no such start.
  mutating func advisePatience(
    _ manifest: Manifest, _ accuracy: Double, _ timeout: TimeSpan, _ span: SourceSpan
  ) {
    guard let cold = manifest.figures["cold_fix"]?.timeSpan, timeout < cold,
      !vocabulary.isServedByCheaper(manifest, accuracy)
    else { return }
    report(
      .timeoutBeforeStart, "after a long rest \(manifest.device) needs \(cold) for its first fix", span,
      severity: .warning, label: "given up before that",
      hint: "wait at least that long, as in: timeout \(cold); or take an accuracy that needs no receiver")
  }
}

extension Vocabulary {
  /// Whether a lower rung of a device's ladder knows well enough.
  func isServedByCheaper(_ manifest: Manifest, _ accuracy: Double) -> Bool {
    manifests.contains { other in
      guard let ladder = manifest.ladder, let place = other.ladder, place.name == ladder.name,
        place.rank < ladder.rank
      else { return false }
      return place.serves.map { $0 <= accuracy } ?? false
    }
  }
}
