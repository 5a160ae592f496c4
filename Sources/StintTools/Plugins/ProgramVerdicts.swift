public import StintModel

/// The rules that a plugin's program kept and broke, and those that could not be tested.
public struct ProgramVerdicts: Hashable, Sendable {
  /// The result of one rule.
  public enum Verdict: Hashable, Sendable {
    case kept
    case broken(String)
    /// The rule could not be tested, for this reason.
    case untried(String)
  }

  /// The device of the plugin's manifest.
  public let device: DeviceID
  private var verdicts: [ProgramCheck: Verdict] = [:]

  init(device: DeviceID) { self.device = device }

  /// Returns the result of a rule; `untried` when the test did not reach it.
  public func verdict(_ check: ProgramCheck) -> Verdict { verdicts[check] ?? .untried("not reached") }

  /// The broken rules, in the order of the checks.
  public var broken: [ProgramCheck] {
    ProgramCheck.allCases.filter { if case .broken = verdict($0) { true } else { false } }
  }

  /// Marks rules as kept unless they are already broken.
  mutating func keep(_ checks: ProgramCheck...) {
    for check in checks {
      if case .broken? = verdicts[check] { continue }
      verdicts[check] = .kept
    }
  }

  /// Marks a rule as broken. Only the sentence of the rule's first failure is stored.
  mutating func fail(_ check: ProgramCheck, _ sentence: String) {
    if case .broken? = verdicts[check] { return }
    verdicts[check] = .broken(sentence)
  }

  mutating func skip(_ check: ProgramCheck, _ why: String) {
    if verdicts[check] == nil { verdicts[check] = .untried(why) }
  }

  mutating func expect(_ truth: Bool, _ check: ProgramCheck, _ sentence: @autoclosure () -> String) {
    if truth { keep(check) } else { fail(check, sentence()) }
  }
}
