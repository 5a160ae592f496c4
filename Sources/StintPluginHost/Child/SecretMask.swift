import StintModel
import StintPluginKit

/// The secrets of a plugin, which no report of the host may contain.
struct SecretMask: Hashable, Sendable {
  /// The length, in characters, of the shortest beginning of a secret that is replaced at the end of a cut
  /// text.
  private static let shortestPart = 4

  /// The secrets that are not empty, the longest first, because a secret may contain another secret.
  private(set) var secrets: [String] = []

  /// Adds the secrets of a start. The former secrets remain, because a process can print a former secret
  /// before it gets the new secrets.
  mutating func add(_ further: [String]) {
    secrets = Set(secrets + further.filter { !$0.isEmpty })
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// The length of the longest secret in bytes.
  var longest: Int { secrets.first?.utf8.count ?? 0 }

  /// Returns a text with “…” in place of each secret.
  ///
  /// - Parameter isCut: True when the text may continue. Then “…” also replaces the beginning of a secret at
  ///   the end of the text, if at least `shortestPart` characters of the secret are there.
  func masked(_ text: String, isCut: Bool = false) -> String {
    let text = secrets.reduce(text) { $0.replacing($1, with: "…") }
    guard isCut else { return text }
    for secret in secrets {
      let longest = min(secret.count - 1, text.count)
      guard longest >= Self.shortestPart else { continue }
      for length in (Self.shortestPart...longest).reversed() where text.hasSuffix(secret.prefix(length)) {
        return text.dropLast(length) + "…"
      }
    }
    return text
  }

  /// Returns an outcome whose text contains no secret.
  func masked(_ outcome: Outcome) -> Outcome {
    if case .fault(let text) = outcome { .fault(masked(text)) } else { outcome }
  }

  /// Returns a report whose fault contains no secret.
  func masked(_ attempt: AttemptReport) -> AttemptReport {
    guard case .failed(let fault) = attempt.report else { return attempt }
    var copy = attempt
    copy.report = .failed(TransferFault(masked(fault.name), isTransient: fault.isTransient))
    return copy
  }

  /// Returns a failure whose sentence contains no secret, even if the original sentence quotes a frame of the
  /// plugin.
  func masked(_ failure: ChildFailure) -> ChildFailure { failure.with(sentence: masked(failure.sentence)) }
}
