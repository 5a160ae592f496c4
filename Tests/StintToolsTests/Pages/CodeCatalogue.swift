import StintRuntime
import StintTestSupport

/// The diagnostic codes that the sources declare and use.
enum CodeCatalogue {
  static func declared() throws -> [(identifier: String, code: String)] {
    let path = Repository.path("Sources/StintLanguage/Diagnostics/DiagnosticCode.swift")
    let text = String(decoding: try FileText.read(path), as: UTF8.self)
    return text.matches(of: /case (\w+) = "(\w+)"/).map {
      (String($0.output.1), String($0.output.2))
    }
  }

  /// Returns the words after a dot in the sources. Code that reports a diagnostic contains `.identifier`.
  static func reported() throws -> Set<String> {
    var words: Set<String> = []
    for path in try swiftFiles(in: Repository.path("Sources")) {
      let bytes = try FileText.read(path)
      var place = 0
      while place < bytes.count {
        defer { place += 1 }
        guard bytes[place] == UInt8(ascii: ".") else { continue }
        var end = place + 1
        while end < bytes.count, isLetter(bytes[end]) { end += 1 }
        if end > place + 1 { words.insert(String(decoding: bytes[place + 1..<end], as: UTF8.self)) }
      }
    }
    return words
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  private static func swiftFiles(in folder: String) throws -> [String] {
    try Folder.files(in: folder, suffix: ".swift")
      + Folder.folders(in: folder).flatMap { try swiftFiles(in: $0) }
  }
}
