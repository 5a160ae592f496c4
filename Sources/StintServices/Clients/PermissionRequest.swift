public import StintModel
import StintUnits

/// A request to the user to allow a capability, separate from any request that uses the capability.
///
/// The user is asked once per client and capability. The notice `Answer` reports the permissions, at once
/// when the user has already decided. After a refusal the request fails as `denied`.
public struct PermissionRequest: NamedRequest, Hashable {
  /// The user's answer.
  public struct Answer: ServiceNotice, Hashable {
    /// The capability that the request named.
    public var capability: Capability
    /// The permissions of the client after the answer.
    public var permissions: Permissions

    /// Makes an answer.
    public init(_ capability: Capability, _ permissions: Permissions) {
      self.capability = capability
      self.permissions = permissions
    }
  }

  /// The requested capability.
  public var capability: Capability
  /// The client's reason, as shown to the user.
  public var purpose: String

  /// Makes a request.
  public init(_ capability: Capability = .location, purpose: String) {
    self.capability = capability
    self.purpose = purpose
  }

  public var rejectionReason: ServiceFailure? {
    guard InputBounds.rejectionReason(forName: purpose) != nil else { return nil }
    return ServiceFailure(
      .invalid, "the purpose must be one line without control characters, not empty and not too long")
  }

  public func makeService() -> any Service { PermissionService(request: self) }
}

extension PermissionRequest {
  public static let kind = "permission"

  private enum CodingKeys: String, CodingKey {
    case capability, purpose
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decode(Capability.self, forKey: .capability),
      purpose: try members.decode(String.self, forKey: .purpose))
  }
}

private struct PermissionService: Service {
  let request: PermissionRequest

  func need(_ roles: DeviceRoles) -> PermissionNeed { .question(request.capability) }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard context.client.permissions.consent(to: request.capability) == .undecided else {
      answer(context.client.permissions, &outbox)
      return
    }
    outbox.askUser(
      request.capability, "“\(context.client.id)” \(request.capability.question): \(request.purpose)")
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if case .permissions(let permissions) = event { answer(permissions, &outbox) }
  }

  private func answer(_ permissions: Permissions, _ outbox: inout ServiceOutbox) {
    // The board ends the request after a refusal.
    guard permissions.consent(to: request.capability) == .granted else { return }
    outbox.notify(PermissionRequest.Answer(request.capability, permissions))
    outbox.finish()
  }
}

extension Capability {
  /// The predicate of the question to the user; the client's name is the subject.
  fileprivate var question: String {
    switch self {
    case .location: "would like to know where this device is"
    case .motion: "would like to read the motion sensors"
    case .network: "would like to transfer data"
    }
  }
}
