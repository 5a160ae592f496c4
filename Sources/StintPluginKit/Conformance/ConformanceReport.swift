public import StintModel

/// The result of a conformance check: one verdict for each rule that plugins must follow.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// A rule, and the first violation of the rule.
  public struct Verdict: Hashable, Sendable {
    /// The rule.
    public var check: PluginCheck
    /// The first violation, as a sentence; nil when the plugin followed the rule.
    public var failure: String?
  }

  /// The device of the plugin.
  public var device: DeviceID
  /// One verdict for each `PluginCheck`, in the order of the cases.
  public var verdicts: [Verdict]

  /// True when the plugin followed all rules.
  public var passed: Bool { verdicts.allSatisfy { $0.failure == nil } }

  /// The rules that the plugin violated, in the order of the cases.
  public var failed: [PluginCheck] { verdicts.filter { $0.failure != nil }.map(\.check) }

  public var description: String {
    let lines = verdicts.map { verdict in
      "  \(verdict.failure == nil ? "kept:  " : "broken:") \(verdict.check.rawValue)"
        + (verdict.failure.map { ": \($0)" } ?? "")
    }
    return (["\(device)"] + lines).joined(separator: "\n")
  }
}
