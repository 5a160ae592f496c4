/// The form in which encoders and decoders represent quantities and instants.
///
/// An encoder or decoder selects the form with the key `unitForm` of its `userInfo`.
public enum UnitForm: Hashable, Sendable {
  /// Texts for people: `"14 s"`, `"600 mJ"`, `"2026-05-16T06:00:00Z"`.
  case text
  /// Integers of the smallest unit, for binary formats: nanoseconds, nanojoules, nanowatts.
  case integer

  /// Reads the form that an encoder or decoder selects in its `userInfo`; `text` without a selection.
  public init(_ userInfo: [CodingUserInfoKey: Any]) {
    self = CodingUserInfoKey.unitForm.flatMap { userInfo[$0] as? UnitForm } ?? .text
  }

  /// The entry of `userInfo` that selects this form.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    CodingUserInfoKey.unitForm.map { [$0: self] } ?? [:]
  }
}

extension CodingUserInfoKey {
  /// The key whose value is the `UnitForm` of an encoder or decoder.
  fileprivate static let unitForm = CodingUserInfoKey(rawValue: "stint.unit-form")
}
