import StintModel

/// Asks whether the client may know where the device is: a question to the user, apart from any request for a position.
///
/// The user is asked once in a client's name. The answer comes as `Answer`, at once when there is one already; a no
/// comes as a failure.
public struct LocationPermission: ServiceRequest, Hashable {
  /// What the user allows.
  public struct Answer: ServiceNotice, Hashable {
    public var authorization: Authorization

    /// Makes an answer.
    public init(authorization: Authorization) { self.authorization = authorization }
  }

  /// Why the client wants to know, as the user reads it.
  public var purpose: String

  /// Makes a request.
  public init(purpose: String) { self.purpose = purpose }

  public func makeService() -> any Service { LocationPermissionService(purpose: purpose) }
}

private struct LocationPermissionService: Service {
  let purpose: String

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let authorization = context.client.authorization
    if authorization == .undecided {
      outbox.askUser("“\(context.client.id)” would like to know where this device is: \(purpose)")
    } else {
      answer(authorization, &outbox)
    }
  }

  mutating func take(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if case .authorization(let authorization) = event, authorization != .undecided {
      answer(authorization, &outbox)
    }
  }

  private func answer(_ authorization: Authorization, _ outbox: inout ServiceOutbox) {
    // A no reaches the client as the failure of what needs a yes.
    if authorization > .undecided { outbox.tell(LocationPermission.Answer(authorization: authorization)) }
    outbox.finish()
  }
}
