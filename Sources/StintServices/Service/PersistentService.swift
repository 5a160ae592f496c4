/// A service that a restart must not lose: what it remembers is written down and read back.
public protocol PersistentService: Service {
  /// The word under which it is kept; never changed, or what was kept is lost.
  static var kind: String { get }

  /// All that it needs to go on after a restart.
  var memory: MemoryValue { get }

  /// Takes up what was kept; nil when it cannot be understood.
  init?(memory: MemoryValue)

  /// It goes on after a restart: it demands again what it needs. Its client is not attached yet.
  mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox)
}

extension PersistentService {
  public mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    begin(context, &outbox)
  }
}
