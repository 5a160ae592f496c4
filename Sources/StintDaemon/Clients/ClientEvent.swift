import StintFormats

/// A result or the state of a client program's request.
///
/// The members of the content follow the number of the request in the same JSON object.
package struct ClientEvent: Codable, Sendable {
  /// The number of the request.
  package var id: Int64
  package var content: any ClientEventContent

  /// All kinds of contents. The kind of an event is the first kind whose `mark` names a member of the event.
  static let kinds: [any ClientEventContent.Type] = [
    TaskEvent.self, FixesEvent.self, SamplesEvent.self, StatusEvent.self, LostEvent.self, UpdatesEvent.self,
    UnansweredEvent.self, RegionEvent.self, BeaconEvent.self, VisitEvent.self, ProximityEvent.self,
    OrientationEvent.self, PermissionEvent.self, DrainedEvent.self, WarningEvent.self, HeartbeatEvent.self,
    NoEffectEvent.self,
  ]

  init(id: Int64, content: any ClientEventContent) {
    self.id = id
    self.content = content
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingStep.self)
    id = try members.decode(Int64.self, forKey: CodingStep(stringValue: "id"))
    let kind = Self.kinds.first { members.contains(CodingStep(stringValue: $0.mark)) }
    content = try (kind ?? OtherEvent.self).init(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingStep.self)
    try members.encode(id, forKey: CodingStep(stringValue: "id"))
    try content.encode(to: encoder)
  }
}

/// The members of an event besides the number of its request. They are encoded in the order of declaration.
package protocol ClientEventContent: Codable, Sendable {
  /// The name of the member by which events of this kind are recognized.
  static var mark: String { get }
}

/// An event of a newer daemon, whose kind does not exist in this version.
package struct OtherEvent: ClientEventContent {
  package static let mark = ""
}
