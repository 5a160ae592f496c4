import StintModel
import StintUnits

/// A bounded queue of the notices that wait for a client, oldest first.
///
/// A full queue drops its oldest notice that does not promise persistence. When all notices promise
/// persistence, the queue drops the oldest notice. The queue counts dropped notices; the client gets this
/// number before the notices.
struct NoticeQueue: Sendable {
  struct Entry: Sendable {
    let id: ServiceID
    let notice: any ServiceNotice
  }

  /// The largest number of notices that may wait for one client.
  static let capacity = 1024

  private(set) var entries: [Entry] = []
  /// The number of notices dropped until now, because the queue was full or memory was low.
  private(set) var dropped = 0
  private var cause = ""

  var isEmpty: Bool { entries.isEmpty }

  /// Appends a notice.
  ///
  /// - Returns: the notice that was dropped to make space; nil when the queue was not full.
  mutating func append(_ id: ServiceID, _ notice: any ServiceNotice) -> Entry? {
    entries.append(Entry(id: id, notice: notice))
    guard entries.count > Self.capacity else { return nil }
    let place = entries.firstIndex { !$0.notice.promisesPersistence } ?? 0
    dropped += 1
    cause = "more than \(Self.capacity) waited"
    return entries.remove(at: place)
  }

  /// Drops old notices because memory is low. The newest `count` notices stay. Notices with a consequence,
  /// such as a file, stay as well.
  ///
  /// - Returns: the number of dropped notices.
  mutating func keepNewest(_ count: Int) -> Int {
    let surplus = entries.count - count
    guard surplus > 0 else { return 0 }
    let kept = entries.prefix(surplus).filter { $0.notice.consequence != nil }
    entries = kept + entries.dropFirst(surplus)
    guard kept.count < surplus else { return 0 }
    dropped += surplus - kept.count
    cause = "memory was low"
    return surplus - kept.count
  }

  /// All waiting notices. When notices were dropped, a notice with their number comes first.
  var withLoss: [Entry] {
    guard dropped > 0, let first = entries.first else { return entries }
    let loss = ServiceFailure(.lost, "\(dropped) notices were dropped because \(cause)")
    return [Entry(id: first.id, notice: loss)] + entries
  }
}

/// A client's process that was launched and has not attached yet.
struct PendingLaunch: Sendable {
  let reason: LaunchReason
  /// The instant of the next launch attempt.
  private(set) var next: Instant
  private var wait = TimeSpan.minutes(1)

  /// The longest wait between two attempts.
  static let longestWait = TimeSpan.hours(1)

  init(_ reason: LaunchReason, at instant: Instant) {
    self.reason = reason
    next = instant + wait
  }

  /// Records another attempt and doubles the wait.
  mutating func retry(at instant: Instant) {
    wait = min(wait * 2, Self.longestWait)
    next = instant + wait
  }
}

/// The state of a rule's service from before a restart, until the rule starts the service again.
struct SuspendedService: Sendable {
  let service: any PersistentService
  /// The instant since which no rule has run the service.
  let since: Instant

  /// The maximum time for which the state is kept without its rule.
  static let longest = TimeSpan.hours(7 * 24)
}

/// A running service with the board's records of it.
struct RunningService: Sendable {
  var service: any Service
  /// The demands of the service, oldest first.
  var demands: [DemandID] = []
  /// Whether the service must survive a restart.
  let isPersistent: Bool
  /// The kinds of events that the service gets.
  let interests: ServiceInterests

  init(service: any Service) {
    self.service = service
    isPersistent = service is any PersistentService
    interests = service.interests
  }
}

/// The data that all services may read: facts with their instants, and the available devices.
struct ServiceEnvironment: Sendable {
  let vocabulary: Vocabulary
  let backgroundState: FactValue
  /// The policies' defaults for options that clients leave open, sorted by device.
  var defaults: [DeviceDefaults] = []
  /// The transfer tasks that rules allow to begin, by lease.
  var starts: [ServiceLease: TransferStart] = [:]
  private var values: [String: (value: FactValue, at: Instant)] = [:]
  private var missing: Set<DeviceID> = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
  }

  mutating func note(_ path: String, _ value: FactValue, at instant: Instant) {
    values[path] = (value, instant)
  }

  mutating func note(_ device: DeviceID, isAvailable: Bool) {
    if isAvailable { missing.remove(device) } else { missing.insert(device) }
  }

  /// Returns the value of a fact; unknown when the value is older than its maximum age.
  func fact(_ path: String, at instant: Instant) -> FactValue {
    guard let known = values[path] else { return .unknown }
    if let maxAge = vocabulary.schema(path)?.maxAge, instant - known.at > maxAge { return .unknown }
    return known.value
  }

  /// Returns the last published value, regardless of its age, and its instant.
  func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    guard let known = values[path], known.value != .unknown else { return nil }
    return known
  }

  func isAvailable(_ device: DeviceID) -> Bool {
    vocabulary.manifest(device) != nil && !missing.contains(device)
  }
}
