/// The head of an HTTP answer: the status and the fields that the carrier reads.
struct ResponseHead: Hashable, Sendable {
  /// The status; 0 before the first line.
  private(set) var status = 0
  /// True when the empty line after the fields has arrived.
  private(set) var isComplete = false
  private(set) var entityTag: String?
  private(set) var modified: String?
  private(set) var date: String?
  private(set) var contentRange: String?
  /// The announced length of the body in bytes; nil when the server does not announce it.
  private(set) var contentLength: Int64?

  /// The longest value that is kept; longer values are ignored.
  private static let maxValue = 1024

  /// Processes one line, with or without its line end. The first line of a new answer discards the previous
  /// answer, for example an interim answer with the status 100. Fields after the empty line are trailers and
  /// have no effect.
  ///
  /// - Returns: true when the line completes the head of a final answer.
  mutating func take(_ line: some Collection<UInt8>) -> Bool {
    let text = String(decoding: line, as: UTF8.self).trimmed
    if text.hasPrefix("HTTP/") {
      self = ResponseHead()
      let words = text.split(separator: " ", omittingEmptySubsequences: true)
      status = words.count > 1 ? Int(words[1]).map { (100...999).contains($0) ? $0 : 0 } ?? 0 : 0
      return false
    }
    guard !isComplete else { return false }
    if text.isEmpty {
      guard status >= 200 else { return false }
      isComplete = true
      return true
    }
    take(field: text)
    return false
  }

  private mutating func take(field text: String) {
    guard let colon = text.firstIndex(of: ":") else { return }
    let value = String(text[text.index(after: colon)...]).trimmed
    guard value.utf8.count <= Self.maxValue else { return }
    switch text[..<colon].lowercased() {
    case "etag": entityTag = value
    case "last-modified": modified = value
    case "date": date = value
    case "content-range": contentRange = value
    case "content-length": contentLength = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
    default: break
    }
  }

  /// The value that `If-Range` may contain: a strong entity tag or, without an entity tag, a date of
  /// modification that is at least a minute before the answer. Nil when the answer has neither, or has a weak
  /// entity tag.
  ///
  /// A file that changes twice within a second keeps its date. So a recent date does not prove that the file
  /// is unchanged.
  var validator: String? {
    if let entityTag {
      return entityTag.hasPrefix("\"") && entityTag.hasSuffix("\"") && entityTag.utf8.count > 1
        ? entityTag : nil
    }
    guard let modified, let changed = CurlLibrary.seconds(of: modified),
      let date, let answered = CurlLibrary.seconds(of: date), answered - changed >= 60
    else { return nil }
    return modified
  }

  /// The first byte and the total length of a partial answer, from a field such as `bytes 100-199/4000`. The
  /// total is nil when the server does not know it. Nil for an invalid field.
  var range: (first: Int64, total: Int64?)? {
    guard let contentRange, contentRange.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = contentRange.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0, last >= first
    else { return nil }
    if parts[1] == "*" { return (first, nil) }
    guard let total = Int64(parts[1]), total > last else { return nil }
    return (first, total)
  }
}

extension String {
  /// The text without white space and line ends at its ends.
  fileprivate var trimmed: String {
    let isBlank = { (character: Character) in character.isWhitespace || character.isNewline }
    let start = drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }
}
