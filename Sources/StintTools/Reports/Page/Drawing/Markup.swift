/// Escaping and templates for HTML pages.
enum Markup {
  /// Returns a string escaped for element content and quoted attributes. Control characters except tabs and
  /// line feeds become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns JSON escaped for a script element, so that it cannot close the element or open another element.
  static func embedded(json: String) -> String {
    var result = ""
    result.reserveCapacity(json.utf8.count)
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<": result += "\\u003c"
      case ">": result += "\\u003e"
      case "&": result += "\\u0026"
      case "\u{2028}": result += "\\u2028"
      case "\u{2029}": result += "\\u2029"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Replaces each `{{name}}` of a template. Inserted values are not searched for placeholders.
  ///
  /// - Precondition: every name has a value.
  static func filled(_ template: String, _ values: [String: String]) -> String {
    let parts = template.split(separator: "{{", omittingEmptySubsequences: false)
    var result = String(parts.first ?? "")
    for part in parts.dropFirst() {
      guard let end = part.firstRange(of: "}}") else {
        preconditionFailure("a placeholder of the template is not closed")
      }
      let name = String(part[..<end.lowerBound])
      guard let value = values[name] else { preconditionFailure("no value for {{\(name)}}") }
      result += value + part[end.upperBound...]
    }
    return result
  }

  /// Returns bytes in base 64, as content security policies write digests.
  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
      let number = group[0] << 16 | group[1] << 8 | group[2]
      for place in 0..<4 {
        text.append(start + place > bytes.count ? "=" : letters[number >> (18 - 6 * place) & 63])
      }
    }
    return text
  }
}
