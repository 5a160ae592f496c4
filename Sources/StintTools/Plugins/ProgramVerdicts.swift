import StintFormats
public import StintModel

/// The results of the conformance checks of a plugin's program.
public struct ProgramVerdicts: Hashable, Sendable {
  /// The result of one check.
  public enum Verdict: Hashable, Sendable {
    /// The plugin passes the check.
    case kept
    /// The plugin fails the check, as this sentence describes.
    case broken(String)
    /// The check could not be made, for this reason.
    case untried(String)
  }

  /// The device of the plugin's manifest.
  public let device: DeviceID
  /// The classes of the device.
  public let classes: [DeviceClass]
  private var verdicts: [ProgramCheck: Verdict] = [:]

  init(_ manifest: Manifest) {
    device = manifest.device
    classes = DeviceClassReader.classes(of: manifest)
  }

  /// Returns the result of a check; `untried` when the run did not reach the check.
  public func verdict(_ check: ProgramCheck) -> Verdict { verdicts[check] ?? .untried("not reached") }

  /// The checks that the plugin fails, in their order.
  public var broken: [ProgramCheck] {
    ProgramCheck.allCases.filter { if case .broken = verdict($0) { true } else { false } }
  }

  /// The number of checks that were made.
  public var tried: Int {
    ProgramCheck.allCases.count { if case .untried = verdict($0) { false } else { true } }
  }

  /// The checks that a class of the device requires and that were not made, in their order.
  public var missing: [ProgramCheck] {
    let essential = classes.flatMap(\.essential)
    return ProgramCheck.allCases.filter { check in
      guard case .untried = verdict(check) else { return false }
      return essential.contains("\(check)")
    }
  }

  /// True when the plugin passes every check that was tried, and every essential check was tried.
  public var conforms: Bool { broken.isEmpty && missing.isEmpty }

  /// Marks the given checks as passed, except those that have failed.
  mutating func keep(_ checks: ProgramCheck...) {
    for check in checks {
      if case .broken? = verdicts[check] { continue }
      verdicts[check] = .kept
    }
  }

  /// Marks a check as failed. Only the sentence of its first failure is stored.
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
