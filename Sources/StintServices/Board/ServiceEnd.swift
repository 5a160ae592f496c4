/// Why a service is over: the last thing that the board says of it, once.
public enum ServiceEnd: Hashable, Sendable {
  /// The service has nothing left to do, such as a request for one fix that is answered.
  case finished
  /// The service cannot go on; its client gets the same failure.
  case failed(ServiceFailure)
  /// Its client, or its rule, ended it.
  case ended
  /// Its client left, and the service does not outlive its client.
  case detached
  /// Its client asked for another service under the same name.
  case replaced
  /// The host was closed; a service that outlives its client goes on with the next host.
  case closed

  /// Whether its client may no longer see what waits to be read: permission was withdrawn, or the client left.
  public var revokes: Bool {
    switch self {
    case .failed(let failure): failure.code == .denied || failure.code == .undecided
    case .detached: true
    case .finished, .ended, .replaced, .closed: false
    }
  }
}
