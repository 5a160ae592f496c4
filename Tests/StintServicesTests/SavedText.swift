import StintFormats
import StintServices
import StintUnits

/// The text of saved state, as the services file contains it.
enum SavedText {
  static func text(of value: some Encodable) throws -> String { try JSONCoding.line(of: value) }

  /// Returns the value that is read back from the text of `value`.
  static func copy<Value: Codable>(of value: Value) throws -> Value {
    try self.value(Value.self, text(of: value))
  }

  /// Returns the services of a board as a later process reads them.
  static func services(of board: ServiceBoard) throws -> SavedServices {
    try value(SavedServices.self, text(of: board.saved))
  }

  /// Decodes saved state with the types of Stint, or with the types of the test.
  static func value<Value: Decodable>(
    _ type: Value.Type, _ text: String, types: PersistentTypes = .all
  ) throws -> Value {
    var decoder = JSONValueDecoder(ignoresUnknownKeys: true)
    types.select(in: &decoder.userInfo)
    return try decoder.decode(type, from: JSONReader.value(of: Array(text.utf8), source: "saved"))
  }
}
