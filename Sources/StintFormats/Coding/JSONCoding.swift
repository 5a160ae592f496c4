public import StintUnits

/// Encodes `Codable` values as JSON and decodes them.
///
/// Members keep the order in which a type encodes them; a nil property is omitted. Dictionaries and sets are
/// sorted, so that equal values give equal bytes. Quantities and instants are strings such as `"14 s"`. All
/// errors are `Problem` values with the location and the path of the value.
///
///     let line = try JSONCoding.line(of: request)
///     let request = try JSONCoding.decode(Request.self, from: bytes, file: "request.json")
public enum JSONCoding {
  /// Returns one line of JSON without a line end.
  ///
  /// - Throws: a problem with the path of a value that JSON cannot express: a number that is not finite, a
  ///   key that is encoded twice, more than 128 levels.
  public static func line(of value: some Encodable) throws(Problem) -> String {
    try text(of: value, .compact)
  }

  /// Returns JSON in a layout, without a line end.
  ///
  /// - Throws: the problems of `line(of:)`.
  public static func text(of value: some Encodable, _ layout: JSONWriter.Layout) throws(Problem) -> String {
    JSONWriter.text(of: try JSONValueEncoder().encode(value), layout)
  }

  /// Decodes the single JSON value in `bytes`.
  ///
  /// - Parameters:
  ///   - type: the type of the result.
  ///   - bytes: the JSON text.
  ///   - file: the name of the file in errors.
  ///   - ignoresUnknownKeys: accepts keys that the type does not have. A newer version may write such keys.
  /// - Throws: a problem of the JSON syntax, or the problems of `JSONValueDecoder.decode`.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], file: String, ignoresUnknownKeys: Bool = false
  ) throws(Problem) -> Value {
    let value = try JSONReader.value(of: bytes, source: file)
    return try JSONValueDecoder(file: file, ignoresUnknownKeys: ignoresUnknownKeys).decode(type, from: value)
  }
}

/// Encodes `Encodable` values as `JSONValue`, in the format that `JSONCoding` describes.
public struct JSONValueEncoder: Sendable {
  /// Makes an encoder.
  public init() {}

  /// Returns the JSON value of a value.
  ///
  /// - Throws: the problems of `JSONCoding.line(of:)`. A type may throw a `Problem` without a location from
  ///   `encode(to:)`; the path is added.
  public func encode(_ value: some Encodable) throws(Problem) -> JSONValue {
    try EncodingNode.value(of: value, .json)
  }
}

/// Decodes `Decodable` values from a `JSONValue` that `JSONReader` has read.
///
/// A type may throw a `Problem` without a location from `init(from:)`; the location and the path are added.
/// If the code of such a problem is `type` and the cause does not contain “found”, the type of the JSON value
/// is added.
public struct JSONValueDecoder: Sendable {
  /// The name of the file in errors; may be empty.
  public var file: String
  /// The path of the value in its file, for errors; empty for the root value.
  public var path = ""
  /// Whether keys are accepted that are unknown to the decoded type. By default, each unknown key is an error
  /// that suggests the most similar known key.
  public var ignoresUnknownKeys: Bool
  /// The form of quantities and instants; older files contain integers.
  public var unitForm = UnitForm.text
  /// Further entries of the `userInfo` that the types read from the decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Makes a decoder.
  public init(file: String = "", ignoresUnknownKeys: Bool = false) {
    self.file = file
    self.ignoresUnknownKeys = ignoresUnknownKeys
  }

  /// Decodes a value.
  ///
  /// - Throws: problems of the first wrong or missing value and of the unknown keys before it. When no value
  ///   is wrong, problems of up to 100 unknown keys.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue
  ) throws(Problem) -> Value {
    let entries = unitForm.userInfo.merging(userInfo) { format, _ in format }
    let format = CodingFormat(isText: true, depthLimit: JSONReader.depthLimit, userInfo: entries)
    return try DecodingContext(source: file, format, ignoresUnknownKeys: ignoresUnknownKeys)
      .decode(type, from: value, root: path.isEmpty ? .root : .key(path, of: .root))
  }
}
