import StintUnits

/// The settings in which JSON and the binary format of `BinaryEncoder` differ.
struct CodingFormat {
  /// True for JSON text, which people read and edit.
  let isText: Bool
  /// The maximum nesting depth of arrays and objects.
  let depthLimit: Int
  /// The `userInfo` of encoders and decoders.
  let userInfo: [CodingUserInfoKey: any Sendable]

  static let json = CodingFormat(
    isText: true, depthLimit: JSONReader.depthLimit, userInfo: UnitForm.text.userInfo)
  static let binary = CodingFormat(
    isText: false, depthLimit: BinaryDecoder.depthLimit, userInfo: UnitForm.integer.userInfo)
}
