import StintFormats

/// A message of JSON-RPC 2.0.
struct Message: Sendable {
  /// The kind of a message, by the reply that its sender expects.
  enum Kind: Sendable {
    /// A request with this identifier, which needs a response.
    case request(JSONValue)
    case notification
    /// A response, which needs no reply.
    case response
  }

  var kind: Kind
  var method: String
  /// The parameters; an empty object for a message without parameters.
  var parameters: JSONValue

  /// Parses a message.
  ///
  /// - Throws: `ResponseError` when the JSON is not a message of JSON-RPC 2.0.
  init(_ json: JSONValue) throws(ResponseError) {
    guard json.members != nil else {
      throw ResponseError(.invalidRequest, "expected an object as message, found \(json.kind)")
    }
    guard json["jsonrpc"]?.string == "2.0" else {
      throw ResponseError(.invalidRequest, "a message needs \"jsonrpc\": \"2.0\"")
    }
    parameters = json["params"] ?? [:]
    guard let method = json["method"] else {
      guard json["id"] != nil, json["result"] != nil || json["error"] != nil else {
        throw ResponseError(.invalidRequest, "a message needs a method, or an id with a result or an error")
      }
      self.method = ""
      kind = .response
      return
    }
    guard let name = method.string else {
      throw ResponseError(.invalidRequest, "expected a string as method, found \(method.kind)")
    }
    self.method = name
    guard let id = json["id"] else {
      kind = .notification
      return
    }
    guard Self.isIdentifier(id) else {
      throw ResponseError(.invalidRequest, "an identifier must be an integer or a string")
    }
    kind = .request(id)
  }

  /// Returns the identifier for the reply; null when the message has no valid identifier.
  static func identifier(of json: JSONValue) -> JSONValue {
    guard let id = json["id"], isIdentifier(id) else { return .null }
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
