import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Records failures outside the expectations: violated requirements, and the first 20 refused inputs.
final class TestObserver: HostObserver {
  private let failures = Locked((violations: [(Instant, String)](), refusals: [String]()))

  var violations: [(at: Instant, text: String)] {
    failures.withLock { $0.violations.map { (at: $0.0, text: $0.1) } }
  }
  var refusals: [String] { failures.withLock { $0.refusals } }

  func acted(_ act: Act, by rule: RuleID, at instant: Instant) {
    guard case .violation(let text) = act else { return }
    failures.withLock { $0.violations.append((instant, text)) }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    if let sentence = effect.refusal { refused(sentence, at: instant) }
  }

  func refused(_ sentence: String, at instant: Instant) {
    failures.withLock { if $0.refusals.count < 20 { $0.refusals.append(sentence) } }
  }
}
