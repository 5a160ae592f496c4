/// Functions for the structure of expressions. The structure of an expression is a canonical string.
public enum Structure {
  /// Replaces the paths of renamed facts in a structure. Only whole paths are replaced, not their prefixes.
  public static func renaming(_ text: String, _ renamed: [String: String]) -> String {
    guard !renamed.isEmpty else { return text }
    return mappingWords(of: text) { word, _ in renamed[word] ?? word }
  }

  /// Returns the structure with `#` in place of its numbers. Two structures that differ only in numbers give
  /// the same result.
  ///
  /// The hours of a schedule are not replaced: a schedule with other hours is a different expression.
  static func shape(of text: String) -> String {
    var isSchedule = false
    return mappingWords(of: text) { word, end in
      defer { if end == "(" || end == ")" { isSchedule = word == "schedule" && end == "(" } }
      return isNumber(word) && !isSchedule ? "#" : word
    }
  }

  /// Returns whether a word is a number, with or without a sign.
  private static func isNumber(_ word: String) -> Bool {
    let digits = word.first == "-" ? word.dropFirst() : word[...]
    return digits.first?.isNumber ?? false
  }

  /// Replaces each word by the result of `change`, which also receives the character after the word.
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
