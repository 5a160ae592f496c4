/// The structure of expressions, as text.
public enum Structure {
  /// The text with other paths for some facts; names that only begin alike stay.
  public static func renaming(_ text: String, _ renamed: [String: String]) -> String {
    guard !renamed.isEmpty else { return text }
    var result = ""
    var word = ""
    for character in text {
      if character.isLetter || character.isNumber || "_-./".contains(character) {
        word.append(character)
      } else {
        result += renamed[word] ?? word
        result.append(character)
        word = ""
      }
    }
    return result + (renamed[word] ?? word)
  }
}
