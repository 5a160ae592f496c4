/// The index of a device's fact, found once by name so that publishing is cheap.
public struct FactHandle: Hashable, Sendable {
  /// The index into the manifest's `facts`; negative for a fact that the manifest does not declare.
  public let index: Int

  /// A handle that refers to no fact, for plugins that are not open yet.
  public static let none = FactHandle(index: -1)
}
