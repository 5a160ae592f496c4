/// Splits a stream of bytes into messages. A header with the length precedes each message.
///
/// After an invalid header, the bytes up to the next `Content-Length:` are skipped, and the skip is reported
/// once.
struct MessageFraming: Sendable {
  /// An element of the stream.
  enum Frame: Hashable, Sendable {
    /// The bytes of one message.
    case message([UInt8])
    /// Skipped bytes, with the reason.
    case malformed(String)
  }

  /// The maximum size of a message: 64 MiB.
  static let maxBytes = 64 << 20
  /// The maximum size of a header, in bytes.
  static let longestHeader = 4096
  private static let field = Array("content-length:".utf8)

  private var bytes: [UInt8] = []
  private var place = 0
  /// The start index in `bytes` of the last message.
  private var lastMessage = 0
  /// True while bytes are skipped.
  private var isLost = false
  /// The number of bytes of the stream that were removed from `bytes`.
  private var removedCount = 0
  /// `furthest` is the stream offset up to which messages have been read. `rereadCount` is the total number
  /// of bytes that were read again.
  private var furthest = 0
  private var rereadCount = 0

  /// Returns a message with its header.
  static func framed(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
  }

  mutating func append(_ more: some Sequence<UInt8>) {
    if place > 1 << 16 {
      bytes.removeFirst(place)
      removedCount += place
      place = 0
    }
    bytes += more
  }

  /// Returns the next complete message or skipped bytes; nil when more bytes are needed.
  mutating func next() -> Frame? {
    if isLost {
      skipToField()
      if isLost { return nil }
    }
    guard place < bytes.count else { return nil }
    guard let end = headerEnd() else {
      return bytes.count - place > Self.longestHeader
        ? refuse("a header has no end", resumingAt: place + 1) : nil
    }
    switch Self.length(bytes[place..<end]) {
    case .failure(let refusal):
      return refuse(refusal.sentence, resumingAt: refusal.isHeader ? end + 4 : place + 1)
    case .success(let length):
      let start = end + 4
      guard bytes.count - start >= length else { return nil }
      lastMessage = start
      place = start + length
      furthest = max(furthest, removedCount + place)
      return .message(Array(bytes[start..<place]))
    }
  }

  /// Resumes at a header inside the last message, if that message contains a header. Must be called before
  /// the next `append`.
  ///
  /// A header inside a message shows that the length of the message was wrong. If messages contain many
  /// headers, the same bytes could be read again and again. Therefore the total number of bytes that are read
  /// again is limited to eight times the number of bytes in the read messages (`furthest`).
  mutating func resynchronize() {
    guard rereadCount + place - lastMessage <= 8 * furthest,
      let start = Self.field(in: bytes[lastMessage..<place])
    else { return }
    rereadCount += place - lastMessage
    place = start
  }

  // MARK: Headers

  private func headerEnd() -> Int? {
    let end = min(bytes.count, place + Self.longestHeader)
    var index = place
    while index + 3 < end {
      if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
        return index
      }
      index += 1
    }
    return nil
  }

  private mutating func refuse(_ sentence: String, resumingAt next: Int) -> Frame {
    place = next
    isLost = true
    return .malformed(sentence)
  }

  private mutating func skipToField() {
    if let start = Self.field(in: bytes[place...]) {
      place = start
      isLost = false
    } else {
      // The beginning of the field may already have arrived.
      place = max(place, bytes.count - Self.field.count + 1)
    }
  }

  /// Returns the start index of the `Content-Length` field; nil when the bytes do not contain it.
  private static func field(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= field.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - field.count) where bytes[start] | 0x20 == field[0] {
      if bytes[start..<start + field.count].elementsEqual(field, by: { lowercased($0) == $1 }) {
        return start
      }
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// An invalid header, with the reason.
  private struct Refusal: Error {
    var sentence: String
    /// False when the bytes are not a header, so that a valid header may begin within them.
    var isHeader = true
  }

  private static func length(_ header: ArraySlice<UInt8>) -> Result<Int, Refusal> {
    var length: Int?
    for line in String(decoding: header, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      else {
        return .failure(Refusal(sentence: "a header contains a line that is not a field", isHeader: false))
      }
      guard line[..<colon].lowercased() == "content-length" else { continue }
      let digits = line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
      guard let number = Int(digits), number >= 0, length == nil else {
        return .failure(Refusal(sentence: "a header has no valid length"))
      }
      length = number
    }
    guard let length else { return .failure(Refusal(sentence: "a header has no Content-Length")) }
    guard length <= maxBytes else {
      return .failure(
        Refusal(sentence: "a message of \(length) bytes is too long; the limit is \(maxBytes)"))
    }
    return .success(length)
  }
}
