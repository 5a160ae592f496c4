import StintFormats

/// Parses the output of a language server.
enum Answers {
  /// Returns the messages of a stream; throws a finding for an incomplete message or invalid JSON.
  static func read(_ stream: [UInt8]) throws(FuzzFinding) -> [JSONValue] {
    var messages: [JSONValue] = []
    var rest = stream[...]
    let field = Array("Content-Length: ".utf8)
    while !rest.isEmpty {
      try FuzzFinding.unless(rest.starts(with: field), "an answer has no header")
      let digits = rest.dropFirst(field.count).prefix { (0x30...0x39).contains($0) }
      let body = rest.dropFirst(field.count + digits.count + 4)
      guard let length = Int(String(decoding: digits, as: UTF8.self)), body.count >= length else {
        throw FuzzFinding("an answer is incomplete")
      }
      messages.append(try read(message: Array(body.prefix(length))))
      rest = body.dropFirst(length)
    }
    return messages
  }

  static func read(message: [UInt8]) throws(FuzzFinding) -> JSONValue {
    do {
      return try JSONReader.value(of: message, source: "answer")
    } catch {
      throw FuzzFinding("an answer is not JSON: \(error)")
    }
  }
}
