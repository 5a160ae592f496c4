/// A notice that survives a restart while its client is detached; other notices do not.
public protocol PersistentNotice: ServiceNotice {
  /// The name of the notice type in saved state. It must never change, or saved notices are lost.
  static var kind: String { get }

  /// The saved state of the notice.
  var memory: MemoryValue { get }

  /// Restores a saved notice; nil when the saved state is invalid.
  init?(memory: MemoryValue)
}

/// The saved state of a service or a notice, in a form that any file format can represent.
public indirect enum MemoryValue: Hashable, Sendable {
  case truth(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([MemoryValue])
  /// Values by name.
  case record([String: MemoryValue])

  /// The entry of a record; nil when it is missing or the value is not a record.
  public subscript(_ name: String) -> MemoryValue? {
    guard case .record(let parts) = self else { return nil }
    return parts[name]
  }

  /// The Boolean value; nil for other types.
  public var truth: Bool? {
    if case .truth(let value) = self { value } else { nil }
  }

  /// The integer; nil for other types.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number; integers are converted. Nil for other types.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The string; nil for other types.
  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The array; nil for other types.
  public var list: [MemoryValue]? {
    if case .list(let value) = self { value } else { nil }
  }
}

/// The types of services and notices that a board can restore, by their names in saved state.
public struct ServiceKinds: Sendable {
  private var services: [String: any PersistentService.Type] = [:]
  private var notices: [String: any PersistentNotice.Type] = [:]

  /// Makes a set of types. When two types have the same name, the first one is used.
  public init(services: [any PersistentService.Type], notices: [any PersistentNotice.Type]) {
    for type in services where self.services[type.kind] == nil { self.services[type.kind] = type }
    for type in notices where self.notices[type.kind] == nil { self.notices[type.kind] = type }
  }

  /// All types that are part of Stint.
  public static let all = ServiceKinds(
    services: [
      BeaconsService.self, MovesService.self, RegionsService.self, TransferSession.self, VisitsService.self,
    ],
    notices: [
      BeaconNotice.self, MoveNotice.self, RegionNotice.self, ServiceFailure.self, TransferNotice.self,
      VisitNotice.self,
    ])

  func service(_ kind: String, _ memory: MemoryValue) -> (any PersistentService)? {
    services[kind]?.init(memory: memory)
  }

  func notice(_ kind: String, _ memory: MemoryValue) -> (any PersistentNotice)? {
    notices[kind]?.init(memory: memory)
  }
}
