/// Something that a policy declares and names elsewhere.
public struct Symbol: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The short name of a device.
    case device
    case `let`, parameter, schedule, zone, machine, state, budget, rule

    /// Rules and states have names of their own; the others share theirs.
    var sharesNames: Bool { self != .rule && self != .state }
  }

  public var kind: Kind
  public var name: String
  /// The machine of a state; nil for everything else.
  public var owner: String?

  /// Makes a symbol.
  public init(_ kind: Kind, _ name: String, of owner: String? = nil) {
    self.kind = kind
    self.name = name
    self.owner = owner
  }
}
