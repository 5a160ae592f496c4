public import StintModel

/// The result of a conformance check: one verdict for each check that plugins must pass.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// The result of one check.
  public struct Verdict: Hashable, Sendable {
    /// The check.
    public var check: PluginCheck
    /// The first reason for the failure, as a sentence; nil when the plugin passed the check.
    public var failure: String?
  }

  /// The device of the plugin.
  public var device: DeviceID
  /// One verdict for each `PluginCheck`, in the order of the cases.
  public var verdicts: [Verdict]

  /// True when the plugin passed all checks.
  public var passed: Bool { verdicts.allSatisfy { $0.failure == nil } }

  /// The checks that the plugin failed, in the order of the cases.
  public var failed: [PluginCheck] { verdicts.filter { $0.failure != nil }.map(\.check) }

  public var description: String {
    let lines = verdicts.map { verdict in
      "  \(verdict.failure == nil ? "kept:  " : "broken:") \(verdict.check.rawValue)"
        + (verdict.failure.map { ": \($0)" } ?? "")
    }
    return (["\(device)"] + lines).joined(separator: "\n")
  }
}
