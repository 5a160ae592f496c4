import StintModel
import StintUnits

/// The notices that wait for a client, oldest first, with a bound.
///
/// A full queue drops its oldest notice that promises nothing, or its oldest one where each promises something, and
/// counts it. The client hears how many were dropped, in front of the rest.
struct NoticeQueue: Sendable {
  struct Entry: Sendable {
    let id: ServiceID
    let notice: any ServiceNotice
  }

  /// How many notices may wait for one client.
  static let capacity = 1024

  private(set) var entries: [Entry] = []
  /// How many notices were dropped since the queue was made, because it was full or memory was short.
  private(set) var dropped = 0
  private var cause = ""

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a notice.
  ///
  /// - Returns: the notice that was dropped for it; nil where there was room.
  mutating func append(_ id: ServiceID, _ notice: any ServiceNotice) -> Entry? {
    entries.append(Entry(id: id, notice: notice))
    guard entries.count > Self.capacity else { return nil }
    let place = entries.firstIndex { !$0.notice.promisesKeeping } ?? 0
    dropped += 1
    cause = "more than \(Self.capacity) waited"
    return entries.remove(at: place)
  }

  /// Drops all but the newest notices, because memory is short. A notice with a file behind it stays.
  ///
  /// - Returns: how many were dropped.
  mutating func keepNewest(_ count: Int) -> Int {
    let surplus = entries.count - count
    guard surplus > 0 else { return 0 }
    let kept = entries.prefix(surplus).filter { $0.notice.consequence != nil }
    entries = kept + entries.dropFirst(surplus)
    guard kept.count < surplus else { return 0 }
    dropped += surplus - kept.count
    cause = "memory was short"
    return surplus - kept.count
  }

  /// All that waits, with what was dropped in front.
  var withLoss: [Entry] {
    guard dropped > 0, let first = entries.first else { return entries }
    let loss = ServiceFailure(.lost, "\(dropped) notices were dropped because \(cause)")
    return [Entry(id: first.id, notice: loss)] + entries
  }
}

/// A client's process that was started and has not attached yet.
struct PendingLaunch: Sendable {
  let reason: LaunchReason
  /// When it is tried again.
  private(set) var next: Instant
  private var wait = TimeSpan.minutes(1)

  /// The longest wait between two attempts.
  static let longestWait = TimeSpan.hours(1)

  init(_ reason: LaunchReason, at instant: Instant) {
    self.reason = reason
    next = instant + wait
  }

  /// It was tried again; each wait is twice the last.
  mutating func retry(at instant: Instant) {
    wait = min(wait * 2, Self.longestWait)
    next = instant + wait
  }
}

/// What a service of a rule remembered before a restart, waiting for the rule to have it run again.
struct SuspendedService: Hashable, Sendable {
  let kind: String
  let memory: MemoryValue
  /// Since when no rule has run it.
  let since: Instant

  /// How long it waits: a rule that has not wanted it for so long does not miss it.
  static let longest = TimeSpan.hours(7 * 24)
}

/// A service that stands, with what the board keeps of it.
struct RunningService: Sendable {
  var service: any Service
  /// Its demands that stand, oldest first.
  var demands: [DemandID] = []
  /// Whether a restart must not lose it.
  let isPersistent: Bool

  init(service: any Service) {
    self.service = service
    isPersistent = service is any PersistentService
  }
}

/// What all services look at: facts with their instants, and which devices are there.
struct ServiceEnvironment: Sendable {
  let vocabulary: Vocabulary
  let backgroundState: FactValue
  /// The devices that say where they are, sorted.
  let positioning: [DeviceID]
  /// What policies say where clients leave something open, sorted by device.
  var defaults: [DeviceDefaults] = []
  /// Whose tasks of transfers rules let begin, by the lease that says so.
  var starts: [ServiceLease: TransferStart] = [:]
  private var values: [String: (value: FactValue, at: Instant)] = [:]
  private var missing: Set<DeviceID> = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    positioning = vocabulary.manifests.map(\.device).filter { device in
      ["latitude", "longitude", "accuracy"].allSatisfy { vocabulary.fact("\(device.path).\($0)") != nil }
    }
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
  }

  mutating func note(_ path: String, _ value: FactValue, at instant: Instant) {
    values[path] = (value, instant)
  }

  mutating func note(_ device: DeviceID, isAvailable: Bool) {
    if isAvailable { missing.remove(device) } else { missing.insert(device) }
  }

  func fact(_ path: String, at instant: Instant) -> FactValue {
    guard let known = values[path] else { return .unknown }
    if let maxAge = vocabulary.schema(path)?.maxAge, instant - known.at > maxAge { return .unknown }
    return known.value
  }

  /// The last value that was said, however old.
  func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    guard let known = values[path], known.value != .unknown else { return nil }
    return known
  }

  func isAvailable(_ device: DeviceID) -> Bool {
    vocabulary.manifest(device) != nil && !missing.contains(device)
  }
}
