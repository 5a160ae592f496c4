/// The structure of expressions, as text.
public enum Structure {
  /// The text with other paths for some facts; names that only begin alike stay.
  public static func renaming(_ text: String, _ renamed: [String: String]) -> String {
    guard !renamed.isEmpty else { return text }
    return mappingWords(of: text) { word, _ in renamed[word] ?? word }
  }

  /// The text without its numbers: what stays when a policy is tuned.
  ///
  /// The hours of a schedule are no number to tune: with other hours, inside and outside are other moments.
  static func shape(of text: String) -> String {
    var isSchedule = false
    return mappingWords(of: text) { word, end in
      defer { if end == "(" || end == ")" { isSchedule = word == "schedule" && end == "(" } }
      return isNumber(word) && !isSchedule ? "#" : word
    }
  }

  /// Whether a word is a number, with or without a sign.
  private static func isNumber(_ word: String) -> Bool {
    let digits = word.first == "-" ? word.dropFirst() : word[...]
    return digits.first?.isNumber ?? false
  }

  /// Changes each word; the change gets the character that ends it as well.
  private static func mappingWords(of text: String, _ change: (String, Character?) -> String) -> String {
    var result = ""
    var word = ""
    for character in text {
      if character.isLetter || character.isNumber || "_-./".contains(character) {
        word.append(character)
      } else {
        result += change(word, character)
        result.append(character)
        word = ""
      }
    }
    return result + change(word, nil)
  }
}
