public import StintModel
public import StintUnits

/// The reason why a running service of a client has no continuous demand at present. Also the events that
/// continue the service. Rules do not cause such a pause: the service pauses itself.
public struct ServicePause: Hashable, Sendable, CustomStringConvertible {
  /// The reason for a pause.
  public enum Reason: String, Hashable, Sendable {
    /// The position is unlikely to change.
    case atRest = "at-rest"
    /// No good position arrived, so the next attempt comes later.
    case noFix = "no-fix"
  }

  /// The reason.
  public let reason: Reason
  /// True when a report of movement continues the service.
  public let endsOnMovement: Bool
  /// The distance from the rest position beyond which the service continues; nil for `noFix`.
  public let reach: Length?
  /// The instant of the next check of the position, or of the next attempt.
  public let next: Instant
  /// True during a check of the position: the service has a demand until the check ends.
  public let isChecking: Bool

  init(
    _ reason: Reason, endsOnMovement: Bool, reach: Length? = nil, next: Instant, isChecking: Bool = false
  ) {
    self.reason = reason
    self.endsOnMovement = endsOnMovement
    self.reach = reach
    self.next = next
    self.isChecking = isChecking
  }

  /// The reason, and the events that continue the service, as text without a full stop.
  public var description: String {
    let movement = endsOnMovement ? "on movement or " : ""
    return switch reason {
    case .atRest:
      "paused because the position is unlikely to change; can continue \(movement)at the next check of the "
        + "position"
    case .noFix: "paused because no good position arrived; continues \(movement)at the next attempt"
    }
  }
}

/// A service that has paused itself, with the device on which it then has no continuous demand.
public struct PausedService: Hashable, Sendable {
  /// The service.
  public let id: ServiceID
  /// The device that the service uses when it continues.
  public let device: DeviceID
  /// The reason, and the events that continue the service.
  public let pause: ServicePause
}

/// A service that waits for the user's decision about a permission, and powers no device meanwhile.
public struct UndecidedService: Hashable, Sendable {
  /// The service.
  public let id: ServiceID
  /// The device that the service uses after the user has allowed it.
  public let device: DeviceID
}

extension ServiceBoard {
  /// The services that wait for a decision of the user, sorted.
  public var undecidedServices: [UndecidedService] {
    table.order.compactMap { id in
      guard let service = table[id]?.service, case .question(let capability) = service.need(roles),
        status(of: id.client)?.permissions.consent(to: capability) == .undecided,
        let device = service.candidates(roles).first(where: isAvailable)
      else { return nil }
      return UndecidedService(id: id, device: device)
    }
  }

  /// The services that have paused themselves, sorted.
  public var pausedServices: [PausedService] {
    table.order.compactMap { id in
      guard let service = table[id]?.service, let pause = service.pause,
        let device = service.candidates(roles).first(where: isAvailable)
      else { return nil }
      return PausedService(id: id, device: device, pause: pause)
    }
  }
}
