/// A value that outlives the process: saved state contains it together with the name of its type.
public protocol Persistent: Codable, Sendable {
  /// The name of the type in saved state. It must never change, or saved values are lost.
  static var kind: String { get }

  /// False when the decoded state is invalid. The client of the value then gets a `ServiceFailure` with the
  /// code `lost`.
  var isValid: Bool { get }
}

extension Persistent {
  public var isValid: Bool { true }
}

/// A notice that survives a restart while its client is detached. Other notices are lost at a restart.
public protocol PersistentNotice: ServiceNotice, Persistent {}

/// A service that survives a restart. Its `Codable` encoding is the complete state that it needs after
/// the restart.
public protocol PersistentService: Service, Persistent {
  /// Resumes the decoded service after a restart: the service raises its demands again. The client of the
  /// service is not attached yet.
  mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox)
}

extension PersistentService {
  public mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    begin(context, &outbox)
  }
}

/// The types of services and notices that can be restored, by their names in saved state.
public struct PersistentTypes: Sendable {
  private var types: [String: any Persistent.Type] = [:]

  /// Makes a set of types. When two types have the same name, the first one is used.
  public init(_ types: [any Persistent.Type]) { self = PersistentTypes().adding(types) }

  private init() {}

  /// Returns these types and additional types, such as the types of an app. A name that is already in use
  /// keeps its type.
  public func adding(_ types: [any Persistent.Type]) -> PersistentTypes {
    var all = self
    for type in types where all.types[type.kind] == nil { all.types[type.kind] = type }
    return all
  }

  /// All types that are part of Stint.
  public static let all = PersistentTypes([
    BeaconsService.self, MovesService.self, RegionsService.self, TransferSession.self, VisitsService.self,
    BeaconNotice.self, MoveNotice.self, RegionNotice.self, ServiceFailure.self, TransferNotice.self,
    VisitNotice.self,
  ])

  /// The key of a decoder's `userInfo` for the types; without it, `all` is used.
  private static let key = CodingUserInfoKey(rawValue: "stint.persistent-types")

  /// Selects these types in the `userInfo` of a decoder of `SavedServices`.
  public func select(in userInfo: inout [CodingUserInfoKey: any Sendable]) {
    if let key = Self.key { userInfo[key] = self }
  }

  /// Reads the types that a decoder selects.
  init(_ userInfo: [CodingUserInfoKey: Any]) {
    self = Self.key.flatMap { userInfo[$0] as? PersistentTypes } ?? .all
  }

  subscript(kind: String) -> (any Persistent.Type)? { types[kind] }
}
