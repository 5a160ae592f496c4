public import StintModel

/// What a plugin's program kept and broke of the rules, and what could not be tried.
public struct ProgramVerdicts: Hashable, Sendable {
  /// How a rule came out.
  public enum Verdict: Hashable, Sendable {
    case kept
    case broken(String)
    /// Nothing came that could be judged, and why.
    case untried(String)
  }

  public let device: DeviceID
  private var verdicts: [ProgramCheck: Verdict] = [:]

  init(device: DeviceID) { self.device = device }

  /// How a rule came out.
  public func verdict(_ check: ProgramCheck) -> Verdict { verdicts[check] ?? .untried("not reached") }

  /// The rules that were broken, in their order.
  public var broken: [ProgramCheck] {
    ProgramCheck.allCases.filter { if case .broken = verdict($0) { true } else { false } }
  }

  /// Notes that a rule was kept so far; what was broken stays so.
  mutating func keep(_ checks: ProgramCheck...) {
    for check in checks {
      if case .broken? = verdicts[check] { continue }
      verdicts[check] = .kept
    }
  }

  /// Of several failures of a rule the first stays.
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
