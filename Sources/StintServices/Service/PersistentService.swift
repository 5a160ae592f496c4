/// A service that a restart must not lose: what it remembers is written down and read back.
public protocol PersistentService: Service {
  /// The word under which it is kept; never changed, or what was kept is lost.
  static var kind: String { get }

  /// All that it needs to go on after a restart.
  var memory: MemoryValue { get }

  /// Takes up what was kept; nil when it cannot be understood.
  init?(memory: MemoryValue)
}
