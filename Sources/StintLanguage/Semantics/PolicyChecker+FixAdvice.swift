import StintModel
import StintUnits

extension PolicyChecker {
  /// Warns about a single-fix request whose timeout is shorter than a cold start of the device.
  ///
  /// There is no warning when a cheaper device meets the accuracy, because that device provides the fix
  /// without a cold start.
  mutating func warnAboutShortTimeout(
    _ manifest: Manifest, _ accuracy: Double, _ timeout: TimeSpan, _ span: SourceSpan
  ) {
    guard let cold = manifest.figures["cold_fix"]?.timeSpan, timeout < cold,
      !vocabulary.hasCheaperDevice(manifest, accuracy)
    else { return }
    report(
      .timeoutBeforeStart, "the first fix of \(manifest.device) after a cold start takes \(cold)", span,
      severity: .warning, label: "the request ends before that",
      hint:
        "wait at least that long, as in: timeout \(cold); or request an accuracy that a cheaper device of the ladder provides"
    )
  }
}

extension Vocabulary {
  /// Returns true when a cheaper device of the ladder meets the accuracy.
  func hasCheaperDevice(_ manifest: Manifest, _ accuracy: Double) -> Bool {
    manifests.contains { other in
      guard let ladder = manifest.ladder, let place = other.ladder, place.name == ladder.name,
        place.rank < ladder.rank
      else { return false }
      return place.serves.map { $0 <= accuracy } ?? false
    }
  }
}
