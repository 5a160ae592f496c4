import StintJournal
import StintModel
import StintUnits

/// The SHA-256 of policy texts, computed once for each text: hashing megabytes would delay each answer of
/// `status`. Keeps the hashes of the newest texts.
final class TextHashes: Sendable {
  /// The maximum number of kept hashes.
  private static let maxKept = 64

  private let kept = Locked<[(text: String, hash: String)]>([])

  /// Returns the SHA-256 of a text in hexadecimal.
  func hash(of text: String) -> String {
    if let known = kept.withLock({ kept in kept.first { $0.text == text }?.hash }) { return known }
    let hash = SHA256.hexadecimal(of: Array(text.utf8))
    kept.withLock { kept in
      kept.append((text, hash))
      if kept.count > Self.maxKept { kept.removeFirst() }
    }
    return hash
  }
}
