import StintUnits

/// The settings in which the text form and the binary form differ.
struct CodingForm {
  /// Whether the form is JSON text, which people read and edit.
  let isText: Bool
  /// The maximum nesting depth of arrays and objects.
  let depthLimit: Int
  /// The `userInfo` of encoders and decoders.
  let userInfo: [CodingUserInfoKey: any Sendable]

  static let json = CodingForm(
    isText: true, depthLimit: JSONReader.depthLimit, userInfo: UnitForm.text.userInfo)
  static let binary = CodingForm(
    isText: false, depthLimit: BinaryDecoder.depthLimit, userInfo: UnitForm.integer.userInfo)
}
