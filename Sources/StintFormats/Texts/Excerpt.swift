/// Makes parts of arbitrary files safe to show in messages.
package enum Excerpt {
  /// Returns at most 80 Unicode scalars, with control characters replaced; “…” follows a shortened text.
  package static func text(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(80) {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return text.unicodeScalars.count > 80 ? result + "…" : result
  }
}
