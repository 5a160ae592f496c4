import StintModel
public import StintPluginKit
public import StintUnits

/// A connection to a message bus on an event loop.
///
/// The connection has no thread, and its functions do not block. Results arrive through closures, which run
/// on the thread of the loop, outside every lock; a reply runs its closure once. While nothing happens on the
/// bus, the connection has no timer and causes no wake-up. May be used from any thread.
///
/// When the bus ends, all waiting calls fail, subscriptions get an error, and watched and owned names are
/// lost. A connection with subscriptions, watches, names or objects then connects again after 1 s. After each
/// failed attempt, the delay doubles, up to `DBusLimits.longestRetry`. The new connection then has all
/// subscriptions, watches, names and objects again. A call on a lost connection tries to connect at once.
public final class DBusConnection: Sendable {
  /// The time limit of a call for which the caller gives no limit: 25 s, as in other libraries.
  public static let timeout = TimeSpan.seconds(25)
  /// The largest number of messages that are handled in one callback of the loop, so that a busy bus does not
  /// delay other work.
  private static let maxMessages = 64

  let limits: DBusLimits
  private let address: String?
  private let loop: any PluginLoop
  private let library: SystemdLibrary
  private let state: Locked<State>

  /// Connects to a bus. The authentication follows on the loop.
  ///
  /// - Parameters:
  ///   - address: the address, such as `unix:path=/run/bus`; nil for the system bus. A connection to an
  ///     address in a network may block.
  ///   - loop: the loop that waits for the bus.
  /// - Throws: a problem when libsystemd is not installed or no bus listens at the address.
  public convenience init(
    _ address: String? = nil, on loop: any PluginLoop, limits: DBusLimits = DBusLimits()
  ) throws(Problem) {
    try self.init(address, on: loop, limits: limits, library: SystemdLibrary.shared.get())
  }

  init(
    _ address: String?, on loop: any PluginLoop, limits: DBusLimits, library: SystemdLibrary
  ) throws(Problem) {
    self.address = address
    self.loop = loop
    self.limits = limits
    self.library = library
    state = Locked(State(retry: RetryDelay(limit: limits.longestRetry)))
    try state.withLock { state throws(Problem) in try connect(&state) }
  }

  deinit { close() }

  /// True while a bus is connected; false while the bus is lost, and after `close`.
  public var isConnected: Bool { state.withLock { $0.bus != nil } }

  /// Closes the connection. Waiting calls fail; nothing else is reported. Later calls fail.
  public func close() {
    // The handlers are released outside the lock: a handler may own an object that uses the connection.
    let (actions, former) = state.withLock { state in
      let former = (state.subscriptions, state.owners, state.names, state.objects)
      guard !state.isClosed else { return ([@Sendable () -> Void](), former) }
      state.isClosed = true
      drop(&state)
      (state.subscriptions, state.owners, state.names) = (SubscriptionTable(), OwnerTable(), NameTable())
      state.objects = ObjectTable()
      for entry in state.calls.removeAll() {
        guard case .reply(let handler) = entry.purpose else { continue }
        state.actions.append { handler(.failure(.closed(entry.place))) }
      }
      defer { state.actions = [] }
      return (state.actions, former)
    }
    withExtendedLifetime(former) {}
    perform(actions)
  }

  // MARK: Changes

  /// Changes the state under the lock, updates the events for which the loop waits, and passes the calls of
  /// handlers to the loop.
  func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, actions) = state.withLock { state in
      let value = body(&state)
      rearm(&state)
      defer { state.actions = [] }
      return (value, state.actions)
    }
    perform(actions)
    return value
  }

  /// Calls handlers on the loop, so that no handler runs within a call of its owner.
  private func perform(_ actions: [@Sendable () -> Void]) {
    guard !actions.isEmpty else { return }
    _ = loop.call(after: .zero) { for action in actions { action() } }
  }

  /// Sends a call, and passes its reply to `finish`.
  func start(_ call: DBusCall, within limit: TimeSpan, _ purpose: CallTable.Purpose, _ state: inout State) {
    let place = "\(call)"
    do throws(Problem) {
      guard !state.isClosed else { throw .closed(place) }
      if state.bus == nil { try connect(&state) }
      guard let bus = state.bus else { throw .notConnected(place) }
      guard state.calls.count < limits.calls else { throw .tooManyCalls(place, limits.calls) }
      let message = try MessageHandle.call(call, on: bus)
      defer { message.release() }
      let cookie = try bus.send(message, expectsReply: true).get()
      let generation = state.generation
      let cancel = loop.call(after: limit) { [weak self] in self?.expire(cookie, generation, limit) }
      state.calls.add(cookie, CallTable.Entry(purpose: purpose, place: place, cancel: cancel))
    } catch {
      finish(purpose, .failure(error), &state)
    }
  }

  /// Sends a message to which no reply is expected.
  func send(
    _ state: inout State, _ make: (BusHandle) throws(Problem) -> MessageHandle
  ) throws(Problem) {
    guard let bus = state.bus else { throw .notConnected("the bus") }
    let message = try make(bus)
    defer { message.release() }
    _ = try bus.send(message, expectsReply: false).get()
  }

  private func expire(_ cookie: UInt64, _ generation: Int, _ limit: TimeSpan) {
    change { state in
      guard state.generation == generation, let entry = state.calls.remove(cookie) else { return }
      finish(entry.purpose, .failure(.noAnswer(entry.place, within: limit)), &state)
    }
  }

  // MARK: The connection

  private func connect(_ state: inout State) throws(Problem) {
    state.cancelRetry?()
    state.cancelRetry = nil
    do throws(Problem) {
      let bus = try BusHandle(address, library)
      state.bus = bus
      state.generation += 1
      let generation = state.generation
      loop.watchReadable(bus.descriptor) { [weak self] in self?.process(generation, isWriter: false) }
    } catch {
      planRetry(&state)
      throw error
    }
    register(&state)
    rearm(&state)
  }

  /// Tries to connect to a lost bus. After a failure, `connect` has already planned the next attempt.
  func connectAgain(_ state: inout State) {
    guard state.bus == nil, !state.isClosed else { return }
    do throws(Problem) { try connect(&state) } catch {}
  }

  private func planRetry(_ state: inout State) {
    guard state.isNeeded, !state.isClosed else { return }
    state.cancelRetry = loop.call(after: state.retry.failed()) { [weak self] in
      self?.change { state in self?.connectAgain(&state) }
    }
  }

  /// Closes the connection to the bus, and removes its descriptor and its timers from the loop.
  private func drop(_ state: inout State) {
    state.cancelTimer?()
    state.cancelTimer = nil
    state.cancelRetry?()
    state.cancelRetry = nil
    state.objects.releaseRequests()
    guard let bus = state.bus else { return }
    loop.unwatchReadable(bus.descriptor)
    if state.isWriterWatched { loop.unwatchWritable(bus.descriptor) }
    state.isWriterWatched = false
    bus.close()
    state.bus = nil
  }

  private func lose(_ number: Int32, _ state: inout State) {
    drop(&state)
    for entry in state.calls.removeAll() {
      guard case .reply(let handler) = entry.purpose else { continue }
      state.actions.append { handler(.failure(.lostBus(entry.place, number))) }
    }
    for handler in state.owners.forget() { state.actions.append { handler(nil) } }
    for (name, _) in state.names.requests {
      if let handler = state.names.set(name, .lost) { state.actions.append { handler(.lost) } }
    }
    for entry in state.subscriptions.entries {
      state.actions.append { entry.handler(.failure(.lostBus("the bus", number))) }
    }
    planRetry(&state)
  }

  // MARK: The loop

  private func rearm(_ state: inout State) {
    state.cancelTimer?()
    state.cancelTimer = nil
    guard let bus = state.bus else { return }
    let generation = state.generation
    if bus.wantsToWrite, !state.isWriterWatched {
      state.isWriterWatched = true
      loop.watchWritable(bus.descriptor) { [weak self] in self?.process(generation, isWriter: true) }
    }
    if let timeout = bus.timeout {
      state.cancelTimer = loop.call(after: timeout) { [weak self] in
        self?.process(generation, isWriter: false)
      }
    }
  }

  /// Handles the messages that have arrived. Called on the thread of the loop.
  private func process(_ generation: Int, isWriter: Bool) {
    let actions = state.withLock { state in
      guard state.generation == generation, let bus = state.bus else { return [@Sendable () -> Void]() }
      if isWriter { state.isWriterWatched = false }
      reading: for _ in 0..<Self.maxMessages {
        switch bus.process() {
        case .idle: break reading
        case .handled: continue
        case .message(let message):
          handle(message, &state)
          message.release()
        case .failed(let number):
          lose(number, &state)
          break reading
        }
      }
      rearm(&state)
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }
}
