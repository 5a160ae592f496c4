public import StintModel

/// What a plugin kept and broke of the rules that every plugin follows.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// One rule, with the first thing that broke it.
  public struct Verdict: Hashable, Sendable {
    public var check: PluginCheck
    /// Nil when the plugin kept the rule.
    public var failure: String?
  }

  public var device: DeviceID
  /// One for each check, in their order.
  public var verdicts: [Verdict]

  public var passed: Bool { verdicts.allSatisfy { $0.failure == nil } }

  /// The checks that failed, in their order.
  public var failed: [PluginCheck] { verdicts.filter { $0.failure != nil }.map(\.check) }

  public var description: String {
    let lines = verdicts.map { verdict in
      "  \(verdict.failure == nil ? "kept  " : "broken") \(verdict.check.rawValue)"
        + (verdict.failure.map { ": \($0)" } ?? "")
    }
    return (["\(device)"] + lines).joined(separator: "\n")
  }
}
