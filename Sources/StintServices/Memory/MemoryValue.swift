/// A notice that is kept over a restart while its client is away; other notices are not.
public protocol PersistentNotice: ServiceNotice {
  /// The word under which it is kept; never changed, or what was kept is lost.
  static var kind: String { get }

  var memory: MemoryValue { get }

  /// Takes up what was kept; nil when it cannot be understood.
  init?(memory: MemoryValue)
}

/// What a service remembers over a restart, in a form that any writer of files can keep.
public indirect enum MemoryValue: Hashable, Sendable {
  case truth(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([MemoryValue])
  /// By name.
  case record([String: MemoryValue])

  /// A part of a record; nil when there is none, or this is no record.
  public subscript(_ name: String) -> MemoryValue? {
    guard case .record(let parts) = self else { return nil }
    return parts[name]
  }

  public var truth: Bool? {
    if case .truth(let value) = self { value } else { nil }
  }

  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// Whole numbers count too.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  public var list: [MemoryValue]? {
    if case .list(let value) = self { value } else { nil }
  }
}

/// The services and notices that a board can take up again, by the words under which they are kept.
public struct ServiceKinds: Sendable {
  private var services: [String: any PersistentService.Type] = [:]
  private var notices: [String: any PersistentNotice.Type] = [:]

  /// Collects kinds; of two with one word the first counts.
  public init(services: [any PersistentService.Type], notices: [any PersistentNotice.Type]) {
    for type in services where self.services[type.kind] == nil { self.services[type.kind] = type }
    for type in notices where self.notices[type.kind] == nil { self.notices[type.kind] = type }
  }

  /// All that come with Stint.
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
