/// A notice that is kept over a restart while its client is away; other notices are not.
public protocol KeptNotice: ServiceNotice {
  /// The word under which it is kept; never changed, or what was kept is lost.
  static var kind: String { get }

  var memory: MemoryValue { get }

  /// Takes up what was kept; nil when it cannot be understood.
  init?(memory: MemoryValue)
}
