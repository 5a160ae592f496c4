import StintModel

extension Service {
  /// Tells the user, once, when what the service needs was taken away; the board ends it and tells the client.
  func tellOfDenial(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .authorization(let now) = event, now < needs else { return }
    outbox.tellUser("“\(context.id.client)” may no longer follow where you are; what needs it is off")
  }
}
