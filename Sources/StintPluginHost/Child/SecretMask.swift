import StintModel
import StintPluginKit

/// The secrets of a plugin, which no report of the host may contain.
struct SecretMask: Hashable, Sendable {
  /// The secrets.
  var secrets: [String] = []

  /// Returns a text with “…” in place of each secret.
  func masked(_ text: String) -> String {
    secrets.reduce(text) { $1.isEmpty ? $0 : $0.replacing($1, with: "…") }
  }

  /// Returns an outcome whose text contains no secret.
  func masked(_ outcome: Outcome) -> Outcome {
    if case .fault(let text) = outcome { .fault(masked(text)) } else { outcome }
  }
}
