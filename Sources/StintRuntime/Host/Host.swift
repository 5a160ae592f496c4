import StintBus
public import StintGovernor
import StintJournal
import StintModel
public import StintPluginHost
public import StintPluginKit
import StintServices
public import StintUnits

/// Joins plugins, governor, bus and journal: the loop that carries inputs in and effects out.
///
/// It decides nothing. The same loop runs on real hardware and in the simulator; only the plugins, the pace
/// and the
/// source of inputs differ.
public actor Host {
  var governor: Governor
  let plugins: PluginSet
  /// By device, apart from each other so that no step copies what it does not use.
  let actors: [any DevicePlugin]
  let ports: [DevicePort]
  let sensors: [(any SensorPlugin)?]
  let radios: [(any RadioPlugin)?]
  let processors: [(any ProcessorPlugin)?]
  let sources: [(any SourcePlugin)?]
  /// When each device, the governor and the source want a turn next.
  var alarms: [Instant]
  var governorTimer: Instant
  var sourceInstant: Instant
  /// When the observer hears of the governor next.
  var nextReport: Instant
  /// By device: the numbers in the vocabulary of its manifest's facts.
  let factNumbers: [[Int]]
  var source: any InputSource
  let observer: (any HostObserver)?
  var recorder: JournalRecorder?
  var log = DecisionLog()
  /// Whether devices with the same instant run together, on as many threads as the executor has.
  let isParallel: Bool
  /// Facts that are ignored when a device publishes them, by number: another source publishes them.
  let muted: Set<Int>
  /// What stands between devices and the host, such as faults, and when it has something to say by itself.
  var filter: (any PortFilter)?
  var filterTimer = Instant.distantFuture

  /// By device: what of its samples may be published.
  var orders: [OrderFilter]
  /// By device: the age beyond which no fact of its is believed; nil where none grows old.
  let oldest: [TimeSpan?]
  /// Who listens to which device.
  var topics = TopicTable()
  var mailboxes: [DemandID: Mailbox] = [:]
  /// By device: the demands that it serves now, sorted.
  var served: [[DemandID]]
  /// Channels that clients read themselves, by the demand they will raise.
  var reserved: [DemandID: BatchChannel] = [:]
  var activeDemands: [DemandID: Demand] = [:]
  var emptied: [Batch] = []
  /// The calls that wait for the host to deal with them.
  var inbox: [Submission] = []
  /// How many calls may wait; further ones are refused and counted.
  static let mostSubmissions = 4096
  /// Whether `close(at:)` was called.
  var isClosed = false
  /// What queues of the host dropped or refused since it was made.
  var losses = HostDropCounts()
  /// What devices reported and the governor has not seen, sorted by instant.
  var pending: [Pending] = []
  var taken: [PortEvent] = []
  var steps = 0

  /// What clients asked for that goes on, when it next does something by itself, and what it has not heard yet.
  var services: ServiceBoard
  var servicesTimer = Instant.distantFuture
  var pendingServiceInputs: [ServiceInput] = []
  var isServing = false
  /// Where services are kept over a restart, and as what they were kept last.
  var servicesKeeper: (any ServicesKeeper)?
  var keptServices: MemoryValue?
  /// When keeping them is tried again; nil while it does not fail.
  var nextSaveAttempt: Instant?

  /// One report of a device.
  struct Pending {
    var instant: Instant
    var device: Int
    var event: PortEvent
  }

  /// Makes a host; nothing is opened yet.
  ///
  /// The governor's vocabulary must be made of the manifests of the plugins, in their order.
  public init(
    governor: Governor, plugins: PluginSet, source: any InputSource = NoInputs(),
    observer: (any HostObserver)? = nil, journal: sending JournalRecorder? = nil, isParallel: Bool = false,
    muted: Set<Int> = [], filter: (any PortFilter)? = nil
  ) {
    precondition(
      governor.vocabulary.manifests.map(\.device) == plugins.manifests.map(\.device),
      "the governor knows other devices than the plugin host")
    self.governor = governor
    self.plugins = plugins
    actors = plugins.members.map(\.plugin)
    ports = plugins.members.map(\.port)
    sensors = plugins.members.map(\.sensor)
    radios = plugins.members.map(\.radio)
    processors = plugins.members.map(\.processor)
    sources = plugins.members.map(\.source)
    alarms = Array(repeating: .distantFuture, count: plugins.members.count)
    governorTimer = governor.nextTimer
    services = ServiceBoard(governor.vocabulary, at: governor.now)
    sourceInstant = source.nextInstant ?? .distantFuture
    nextReport = governor.now
    self.source = source
    self.observer = observer
    self.recorder = journal
    self.isParallel = isParallel
    self.muted = muted
    self.filter = filter
    filterTimer = filter?.nextInstant ?? .distantFuture
    let vocabulary = governor.vocabulary
    factNumbers = plugins.manifests.map { manifest in
      manifest.facts.map { fact in vocabulary.fact(fact.path) ?? -1 }
    }
    served = Array(repeating: [], count: plugins.members.count)
    oldest = plugins.manifests.map { $0.facts.compactMap(\.maxAge).max() }
    orders = Array(repeating: OrderFilter(), count: plugins.members.count)
  }

  /// Opens every device, left to right.
  public func open() async {
    await plugins.open(at: governor.now)
    for device in ports.indices { collect(device) }
    await step(governor.now)
  }

  /// The next instant at which something happens by itself.
  public var nextEvent: Instant {
    var next = min(governorTimer, sourceInstant, servicesTimer, filterTimer)
    for alarm in alarms where alarm < next { next = alarm }
    return next
  }

  /// Runs in virtual time, without waiting, up to and including `end`.
  public func run(until end: Instant) async {
    // Events of a filter or a script from before the start happen at the start.
    while nextEvent <= end { await turn(at: max(nextEvent, governor.now), end: end) }
    await step(end)
  }

  /// Runs at a pace until it says stop or `end` comes. Calls `reload` when policy files changed, and `attend`
  /// when a device or client asked for attention.
  public func run(
    until end: Instant, pace: some Pace, reload: @Sendable (isolated Host, Instant) async -> Void,
    attend: @Sendable (isolated Host, Instant) async -> Void = { _, _ in }
  ) async {
    while true {
      let next = min(nextEvent, end)
      let event = await pace.wait(until: next)
      var reached = min(max(event.instant ?? max(next, pace.now), governor.now), end)
      if case .stop = event {
        // Events up to now that were not handled are left: they would only delay the end.
        await step(nextEvent <= reached ? governor.now : reached)
        return
      }
      // Events up to now come first, as far as that takes no longer than a slice.
      reached = await catchUp(to: reached, pace)
      if let change = pace.wallClock?.change(at: reached) { await follow(change, at: reached) }
      switch event {
      case .due: if reached >= end { return }
      case .ready:
        await settleInbox(at: reached)
        await attend(self, reached)
      case .filesChanged: await reload(self, reached)
      case .stop: break
      }
    }
  }

  /// Handles all events up to an instant, in the order of time.
  ///
  /// - Returns: the instant up to which everything is done: an earlier one where the pace wants a pause.
  private func catchUp(to reached: Instant, _ pace: some Pace) async -> Instant {
    // An alarm that a device's own thread set just now may lie before what was dealt with meanwhile.
    while nextEvent <= reached {
      if pace.mustPause { return governor.now }
      await turn(at: max(nextEvent, governor.now), end: reached)
    }
    return reached
  }

  /// Handles all events of one instant: devices, inputs, timers.
  private func turn(at instant: Instant, end: Instant) async {
    let due = alarms.indices.filter { alarms[$0] <= instant }
    let horizon = due.count == 1 ? horizon(beside: due[0], from: instant, end: end) : instant + TimeSpan.tick
    await wake(due, at: instant, horizon: horizon)
    for device in due { collect(device) }
    var inputs: [Input] = []
    if filterTimer <= instant {
      let isLow = filter?.memoryIsLow(at: instant)
      passFilter(at: instant)
      if let isLow { inputs += noteMemory(isLow: isLow, at: instant) }
    }
    var asked: [ServiceInput] = []
    while sourceInstant <= instant {
      inputs += source.drain()
      asked += source.drainServiceInputs()
      sourceInstant = source.nextInstant ?? .distantFuture
    }
    await step(instant, inputs: inputs)
    if !asked.isEmpty { await serve(asked, at: instant) }
    while let later = pending.first?.instant { await step(later) }
  }

  /// The instant before which nothing but this device does anything.
  private func horizon(beside device: Int, from instant: Instant, end: Instant) -> Instant {
    var horizon = min(
      governorTimer, sourceInstant, servicesTimer, filterTimer, end + TimeSpan.tick)
    for other in alarms.indices where other != device { horizon = min(horizon, alarms[other]) }
    return max(horizon, instant + TimeSpan.tick)
  }

  private func wake(_ due: [Int], at instant: Instant, horizon: Instant) async {
    for device in due { ports[device].clearAlarm() }
    guard isParallel, due.count > 1 else {
      for device in due { await actors[device].wake(at: instant, horizon: horizon) }
      return
    }
    await withDiscardingTaskGroup { group in
      for device in due {
        let plugin = actors[device]
        group.addTask { await plugin.wake(at: instant, horizon: horizon) }
      }
    }
  }
}

extension TimeSpan {
  /// The smallest step of time.
  static let tick = TimeSpan(nanoseconds: 1)
}
