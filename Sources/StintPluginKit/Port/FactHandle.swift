/// A fact of a device, looked up once by name so that publishing it is cheap.
public struct FactHandle: Hashable, Sendable {
  /// The place in the manifest's `facts`; negative for a fact that the manifest does not declare.
  public let index: Int

  /// No fact: what a plugin holds before it is open.
  public static let none = FactHandle(index: -1)
}
