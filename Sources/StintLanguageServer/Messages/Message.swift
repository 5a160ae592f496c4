import StintFormats

/// A message as JSON-RPC 2.0 shapes it.
struct Message: Sendable {
  /// What the sender expects.
  enum Kind: Sendable {
    /// An answer with this identifier.
    case request(JSONValue)
    case notification
    /// Nothing: this is an answer itself.
    case response
  }

  var kind: Kind
  var method: String
  /// An object without members where nothing was sent.
  var parameters: JSONValue

  /// Reads a message.
  init(_ json: JSONValue) throws(ResponseError) {
    guard json.members != nil else {
      throw ResponseError(.invalidRequest, "a message is an object, and \(json.kind) was sent")
    }
    guard json["jsonrpc"]?.string == "2.0" else {
      throw ResponseError(.invalidRequest, "a message has \"jsonrpc\": \"2.0\"")
    }
    parameters = json["params"] ?? [:]
    guard let method = json["method"] else {
      guard json["id"] != nil, json["result"] != nil || json["error"] != nil else {
        throw ResponseError(.invalidRequest, "a message has a method, a result or an error")
      }
      self.method = ""
      kind = .response
      return
    }
    guard let name = method.string else {
      throw ResponseError(.invalidRequest, "a method is a text, and \(method.kind) was sent")
    }
    self.method = name
    guard let id = json["id"] else {
      kind = .notification
      return
    }
    guard Self.isIdentifier(id) else {
      throw ResponseError(.invalidRequest, "an identifier is a whole number or a text")
    }
    kind = .request(id)
  }

  /// The identifier to answer to; null where the message has none that can be read.
  static func identifier(of json: JSONValue) -> JSONValue {
    guard let id = json["id"], isIdentifier(id) else { return nil }
    return id
  }

  private static func isIdentifier(_ json: JSONValue) -> Bool { json.integer != nil || json.string != nil }

  // MARK: Messages to send

  static func response(to id: JSONValue, _ result: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "result": result]
  }

  static func response(to id: JSONValue, _ error: ResponseError) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "error": error.json]
  }

  static func notification(_ method: String, _ parameters: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "method": JSONValue(method), "params": parameters]
  }
}
