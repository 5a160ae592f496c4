/// Cuts a stream of bytes into messages, each behind a header with its length.
///
/// Bytes that are no header are skipped up to the next `Content-Length:`, and reported once.
struct MessageFraming: Sendable {
  /// What a stream holds.
  enum Frame: Hashable, Sendable {
    /// The bytes of one message.
    case message([UInt8])
    /// Bytes that were skipped, and what was wrong with them.
    case nonsense(String)
  }

  /// How long one message may be: 64 MiB.
  static let mostBytes = 64 << 20
  /// How long a header may be.
  static let longestHeader = 4096
  private static let field = Array("content-length:".utf8)

  private var bytes: [UInt8] = []
  private var place = 0
  /// Where the last message began.
  private var lastMessage = 0
  /// Set while bytes are skipped.
  private var isLost = false
  /// How many bytes of the stream are no longer held.
  private var forgotten = 0
  /// How far into the stream messages have been read, and how many bytes were gone back over.
  private var furthest = 0
  private var regained = 0

  /// A message with its header.
  static func framed(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
  }

  /// Takes what has arrived.
  mutating func append(_ more: some Sequence<UInt8>) {
    if place > 1 << 16 {
      bytes.removeFirst(place)
      forgotten += place
      place = 0
    }
    bytes += more
  }

  /// The next whole message; nil until more arrives.
  mutating func next() -> Frame? {
    if isLost {
      skipToField()
      if isLost { return nil }
    }
    guard place < bytes.count else { return nil }
    guard let end = headerEnd() else {
      return bytes.count - place > Self.longestHeader
        ? refuse("a header does not end", resumingAt: place + 1) : nil
    }
    switch Self.length(bytes[place..<end]) {
    case .failure(let refusal):
      return refuse(refusal.sentence, resumingAt: refusal.isHeader ? end + 4 : place + 1)
    case .success(let length):
      let start = end + 4
      guard bytes.count - start >= length else { return nil }
      lastMessage = start
      place = start + length
      furthest = max(furthest, forgotten + place)
      return .message(Array(bytes[start..<place]))
    }
  }

  /// Goes back to the header within the last message, if there is one: that was no message, its length was
  /// wrong. Nothing may have been appended since.
  ///
  /// Headers may lie within each other without end, so no byte is gone back over more than eight times on average.
  mutating func resynchronize() {
    guard regained + place - lastMessage <= 8 * furthest,
      let start = Self.field(in: bytes[lastMessage..<place])
    else { return }
    regained += place - lastMessage
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
    return .nonsense(sentence)
  }

  private mutating func skipToField() {
    if let start = Self.field(in: bytes[place...]) {
      place = start
      isLost = false
    } else {
      // The field may have begun to arrive.
      place = max(place, bytes.count - Self.field.count + 1)
    }
  }

  /// Where the field begins that every header has.
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

  /// A header that cannot be used.
  private struct Refusal: Error {
    var sentence: String
    /// False where a header may begin in the midst of these bytes.
    var isHeader = true
  }

  private static func length(_ header: ArraySlice<UInt8>) -> Result<Int, Refusal> {
    var length: Int?
    for line in String(decoding: header, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      else { return .failure(Refusal(sentence: "a header has a line that is no field", isHeader: false)) }
      guard line[..<colon].lowercased() == "content-length" else { continue }
      let digits = line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
      guard let number = Int(digits), number >= 0, length == nil else {
        return .failure(Refusal(sentence: "a header has no length that can be read"))
      }
      length = number
    }
    guard let length else { return .failure(Refusal(sentence: "a header has no Content-Length")) }
    guard length <= mostBytes else {
      return .failure(
        Refusal(sentence: "a message of \(length) bytes is too long; at most \(mostBytes) are read"))
    }
    return .success(length)
  }
}
