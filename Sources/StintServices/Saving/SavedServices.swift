import StintModel
import StintUnits

/// The state of a board that outlives the process: permissions, services, and notices that wait for clients.
///
/// A decoder may select the known types with `PersistentTypes.select(in:)`. When a service or notice cannot
/// be decoded, its client gets a failure with the code `lost`; the other entries are restored.
public struct SavedServices: Codable, Sendable {
  /// The permissions of one client.
  struct Client: Codable, Sendable {
    var name: String
    var permissions: Permissions
    var mayBackground: Bool
    /// The capabilities about which the user was asked, sorted.
    var asked: [Capability]

    private enum CodingKeys: String, CodingKey {
      case name, permissions, asked
      case mayBackground = "may_background"
      /// The members of earlier versions, which had only the permission for the location.
      case authorization
      case wasAsked = "was_asked"
    }

    init(name: String, permissions: Permissions, mayBackground: Bool, asked: [Capability]) {
      self.name = name
      self.permissions = permissions
      self.mayBackground = mayBackground
      self.asked = asked
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      name = try members.decode(String.self, forKey: .name)
      mayBackground = try members.decode(Bool.self, forKey: .mayBackground)
      if let permissions = try members.decodeIfPresent(Permissions.self, forKey: .permissions) {
        self.permissions = permissions
        asked = try members.decode([Capability].self, forKey: .asked)
      } else {
        permissions = Permissions(try members.decode(Authorization.self, forKey: .authorization))
        asked = try members.decode(Bool.self, forKey: .wasAsked) ? [.location] : []
      }
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(name, forKey: .name)
      try members.encode(permissions, forKey: .permissions)
      try members.encode(mayBackground, forKey: .mayBackground)
      try members.encode(asked, forKey: .asked)
    }
  }

  /// The decision of an operator about a client.
  struct Decision: Codable, Sendable {
    var client: String
    var decision: PermissionDecision
  }

  /// A process of a client that was launched and has not attached yet.
  struct Launch: Codable, Sendable {
    var client: String
    var reason: String
  }

  var clients: [Client]
  /// The decisions of operators, sorted by client; nil without a decision.
  var decisions: [Decision]?
  var services: [SavedEntry]
  /// The services that rules ran. The rules start them again after the restart.
  var servicesOfRules: [SavedEntry]
  var notices: [SavedEntry]
  /// The dropped notices that are not reported to detached clients yet; nil when no notice was dropped.
  var losses: [NoticeLoss]?
  var launches: [Launch]

  enum CodingKeys: String, CodingKey {
    case clients, decisions, services, notices, losses, launches
    case servicesOfRules = "services_of_rules"
  }
}

/// A saved service or notice, with its client and its name.
struct SavedEntry: Codable, Sendable {
  let id: ServiceID
  /// The service or notice; nil when its type is unknown or its state is invalid.
  let content: (any Persistent)?
  /// For the service of a rule: the instant since which no rule has run the service. Nil while a rule runs
  /// it.
  var since: Instant?

  enum CodingKeys: String, CodingKey {
    case client, name, kind, state, since
  }

  init(_ id: ServiceID, _ content: any Persistent, since: Instant? = nil) {
    self.id = id
    self.content = content
    self.since = since
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = ServiceID(
      ClientID(try container.decode(String.self, forKey: .client)),
      try container.decode(String.self, forKey: .name))
    since = try container.decodeIfPresent(Instant.self, forKey: .since)
    let kind = try container.decode(String.self, forKey: .kind)
    content = PersistentTypes(decoder.userInfo)[kind].flatMap { Self.state($0, in: container) }
  }

  private static func state<Content: Persistent>(
    _ type: Content.Type, in container: KeyedDecodingContainer<CodingKeys>
  ) -> Content? {
    do {
      let content = try container.decode(type, forKey: .state)
      return content.isValid ? content : nil
    } catch {
      // The board reports the loss to the client, because only the client can request the service again.
      return nil
    }
  }

  func encode(to encoder: any Encoder) throws {
    guard let content else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.client.name, forKey: .client)
    try container.encode(id.name, forKey: .name)
    try container.encode(type(of: content).kind, forKey: .kind)
    try container.encode(content, forKey: .state)
    try container.encodeIfPresent(since, forKey: .since)
  }
}
