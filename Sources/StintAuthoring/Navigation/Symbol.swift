import StintLanguage

/// An entity that a policy declares.
public struct Symbol: Hashable, Sendable {
  /// The kind of an entity.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The short name of a device.
    case device
    case `let`, parameter, schedule, zone, machine, state, budget, rule
  }

  /// The kind of the entity.
  public var kind: Kind
  /// The declared name.
  public var name: String
  /// The machine of a state; nil for all other kinds.
  public var owner: String?

  /// Creates a symbol; `owner` is the machine of a state.
  public init(_ kind: Kind, _ name: String, of owner: String? = nil) {
    self.kind = kind
    self.name = name
    self.owner = owner
  }
}
