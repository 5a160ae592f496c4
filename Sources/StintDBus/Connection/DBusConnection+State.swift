import StintPluginKit

extension DBusConnection {
  /// The state of a connection, which its lock protects.
  struct State: Sendable {
    /// Nil while the bus is lost.
    var bus: BusHandle?
    /// The number of the present connection. A late event of an earlier connection is ignored.
    var generation = 0
    var isClosed = false
    var isWriterWatched = false
    var cancelTimer: (@Sendable () -> Void)?
    var cancelRetry: (@Sendable () -> Void)?
    var retry: RetryDelay
    var calls = CallTable()
    var subscriptions = SubscriptionTable()
    var owners = OwnerTable()
    var names = NameTable()
    var objects = ObjectTable()
    var lastNumber: UInt64 = 0
    /// Calls of handlers that must run outside the lock.
    var actions: [@Sendable () -> Void] = []

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    /// True when the connection must connect again after the bus was lost, even without a call.
    var isNeeded: Bool {
      !subscriptions.entries.isEmpty || !owners.names.isEmpty || !names.requests.isEmpty || !objects.isEmpty
    }
  }
}
