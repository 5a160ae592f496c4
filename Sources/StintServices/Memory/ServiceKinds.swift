/// The services and notices that a board can take up again, by the words under which they are kept.
public struct ServiceKinds: Sendable {
  private var services: [String: any PersistentService.Type] = [:]
  private var notices: [String: any KeptNotice.Type] = [:]

  /// Collects kinds; of two with one word the first counts.
  public init(services: [any PersistentService.Type], notices: [any KeptNotice.Type]) {
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

  func notice(_ kind: String, _ memory: MemoryValue) -> (any KeptNotice)? {
    notices[kind]?.init(memory: memory)
  }
}
