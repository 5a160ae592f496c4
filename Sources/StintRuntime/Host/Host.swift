import StintBus
public import StintGovernor
import StintJournal
import StintModel
public import StintPluginHost
public import StintPluginKit
import StintServices
public import StintUnits

/// The actor that connects plugins, governor, bus and journal. It passes inputs to the governor and performs
/// the effects of the governor.
///
/// A host makes no decisions. Real hardware and the simulator use the same loop with different plugins, paces
/// and input sources.
public actor Host {
  var governor: Governor
  let plugins: PluginSet
  /// The plugins by device index. Each protocol has a separate array, so that a step does not copy unused
  /// references.
  let actors: [any DevicePlugin]
  let ports: [DevicePort]
  let sensors: [(any SensorPlugin)?]
  let radios: [(any RadioPlugin)?]
  let processors: [(any ProcessorPlugin)?]
  let sources: [(any SourcePlugin)?]
  /// By device index: the next instant at which the device must be woken; the distant future for none.
  var alarms: [Instant]
  /// The next instant at which the governor has an event.
  var governorTimer: Instant
  /// The instant of the next input of the source; the distant future for none.
  var sourceInstant: Instant
  /// The next instant at which the observer gets a report of the governor.
  var nextReport: Instant
  /// By device index: for each fact in the manifest, the index of that fact in the vocabulary.
  let factNumbers: [[Int]]
  var source: any InputSource
  let observer: (any HostObserver)?
  var recorder: JournalRecorder?
  var log = DecisionLog()
  /// True to run devices with equal instants concurrently, on the threads of the executor.
  let isParallel: Bool
  /// The indices of facts whose device values are ignored, because the input source sets these facts.
  let muted: Set<Int>
  /// A filter between devices and the host, such as simulated faults, and the instant of the filter's next
  /// event.
  var filter: (any PortFilter)?
  var filterTimer = Instant.distantFuture

  /// By device index: the filter that keeps the samples of the device in order.
  var orders: [OrderFilter]
  /// By device index: the number of dropped values and samples that was reported last.
  var reportedReadings: [Int]
  /// By device index: the largest maximum age of its facts; nil when no fact has a maximum age.
  let oldest: [TimeSpan?]
  /// The subscriptions of demands to devices.
  var topics = TopicTable()
  var mailboxes: [DemandID: Mailbox] = [:]
  /// By device index: the plugin if it answers drains asynchronously; nil for a linked plugin.
  let supervised: [(any SupervisedPlugin)?]
  /// The demands for which a device still delivers held samples.
  var drains = DrainTable()
  /// By device index: the demands that the device serves now, sorted.
  var served: [[DemandID]]
  /// Channels that clients read, by the demand that they will raise.
  var reserved: [DemandID: BatchChannel] = [:]
  var activeDemands: [DemandID: Demand] = [:]
  /// Released demands that must get no further samples, until they end.
  var withdrawn: Set<DemandID> = []
  /// A reused buffer for the batches that are delivered to one demand.
  var deliveryBuffer: [Batch] = []
  /// Submissions that the host has not processed yet.
  var inbox: [Submission] = []
  /// The maximum number of waiting submissions. Further submissions are rejected and counted.
  static let mostSubmissions = 4096
  /// True after `close(at:)` was called.
  var isClosed = false
  /// The numbers of entries that the queues of the host dropped or rejected.
  var losses = HostDropCounts()
  /// Reports of devices that the governor has not received yet, sorted by instant.
  var pending: [Pending] = []
  /// A reused buffer for the events of one port.
  var portEvents: [PortEvent] = []
  /// The number of steps of the governor.
  var steps = 0

  /// The services of clients, the instant of their next timer, and the inputs that the services have not
  /// received yet.
  var services: ServiceBoard
  var servicesTimer = Instant.distantFuture
  var pendingServiceInputs: [ServiceInput] = []
  /// True after the services were connected to the run, at the first input for them.
  var isServing = false
  /// True when the services have not received all facts, because no service handled facts.
  var servicesMissedFacts = true
  /// The storage for services, and the content that was saved last.
  var servicesKeeper: (any ServicesKeeper)?
  var savedServices: [UInt8]?
  /// The instant of the next attempt to save after a failure; nil when saving works.
  var nextSaveAttempt: Instant?

  /// The carriers and their attempts at transfers.
  var carriers: CarrierDesk
  /// Orders that follow from notices that clients have read. Any thread may add orders.
  let readOrders = Locked<[(service: ServiceID, order: TransferOrder)]>([])

  /// A report of a device.
  struct Pending {
    var instant: Instant
    var device: Int
    var event: PortEvent
  }

  /// Creates a host without opening devices.
  ///
  /// The governor's vocabulary must contain the manifests of the plugins in their order.
  public init(
    governor: Governor, plugins: PluginSet, source: any InputSource = NoInputs(),
    observer: (any HostObserver)? = nil, journal: sending JournalRecorder? = nil, isParallel: Bool = false,
    filter: (any PortFilter)? = nil
  ) {
    precondition(
      governor.vocabulary.manifests.map(\.device) == plugins.manifests.map(\.device),
      "the devices of the governor and of the plugins differ")
    self.governor = governor
    self.plugins = plugins
    actors = plugins.members.map(\.plugin)
    ports = plugins.members.map(\.port)
    sensors = plugins.members.map(\.sensor)
    radios = plugins.members.map(\.radio)
    processors = plugins.members.map(\.processor)
    sources = plugins.members.map(\.source)
    supervised = plugins.members.map { $0.plugin as? any SupervisedPlugin }
    alarms = Array(repeating: .distantFuture, count: plugins.members.count)
    governorTimer = governor.nextTimer
    carriers = CarrierDesk(plugins.members)
    services = ServiceBoard(governor.vocabulary, at: governor.now)
    services.carriesTransfers = observer?.carriesTransfers ?? false
    sourceInstant = source.nextInstant ?? .distantFuture
    nextReport = governor.now
    self.source = source
    self.observer = observer
    self.recorder = journal
    self.isParallel = isParallel
    muted = source.assigned
    self.filter = filter
    filterTimer = filter?.nextInstant ?? .distantFuture
    let vocabulary = governor.vocabulary
    factNumbers = plugins.manifests.map { manifest in
      manifest.facts.map { fact in vocabulary.fact(fact.path) ?? -1 }
    }
    served = Array(repeating: [], count: plugins.members.count)
    oldest = plugins.manifests.map { $0.facts.compactMap(\.maxAge).max() }
    orders = Array(repeating: OrderFilter(), count: plugins.members.count)
    reportedReadings = Array(repeating: 0, count: plugins.members.count)
  }

  /// Opens all devices in order. Linked plugins get the loop that runs the calling task.
  public func open() async {
    await plugins.open(at: governor.now, on: LoopExecutor.current)
    for device in ports.indices { collect(device) }
    await step(governor.now)
  }

  /// The next instant at which a timer, a device or the input source has an event.
  public var nextEvent: Instant {
    var next = min(governorTimer, sourceInstant, servicesTimer, filterTimer)
    for alarm in alarms where alarm < next { next = alarm }
    return next
  }

  /// Runs in virtual time, without waiting, up to and including `end`.
  public func run(until end: Instant) async {
    // Events of a filter or a script that lie before the start are handled at the start.
    while nextEvent <= end { await turn(at: max(nextEvent, governor.now), end: end) }
    await step(end)
  }

  /// Runs at a pace until the pace stops it or `end` is reached. Calls `reload` after changes of policy
  /// files, and `attend` when a device or client requests attention.
  public func run(
    until end: Instant, pace: some Pace, reload: @Sendable (isolated Host, Instant) async -> Void,
    attend: @Sendable (isolated Host, Instant) async -> Void = { _, _ in }
  ) async {
    while true {
      let next = min(nextEvent, end)
      let event = await pace.wait(until: next)
      var reached = min(max(event.instant ?? max(next, pace.now), governor.now), end)
      if case .stop = event {
        // Perform one more step, but skip unhandled events up to now, because they would only delay the end.
        await step(nextEvent <= reached ? governor.now : reached)
        return
      }
      // Handle earlier events first, but for at most one slice of time.
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

  /// Handles all events up to an instant, in order of time.
  ///
  /// - Returns: the instant up to which all events are handled. Earlier than `reached` when the pace requests
  ///   a pause.
  private func catchUp(to reached: Instant, _ pace: some Pace) async -> Instant {
    // A device's thread may set an alarm that is earlier than events that were handled in the meantime.
    while nextEvent <= reached {
      if pace.mustPause { return governor.now }
      await turn(at: max(nextEvent, governor.now), end: reached)
    }
    return reached
  }

  /// Handles all events of one instant: devices, inputs and timers.
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
    var serviceInputs: [ServiceInput] = []
    while sourceInstant <= instant {
      inputs += source.drain()
      serviceInputs += source.drainServiceInputs()
      sourceInstant = source.nextInstant ?? .distantFuture
    }
    if serviceInputs.isEmpty {
      await step(instant, inputs: inputs)
    } else {
      await step(
        instant, inputs: inputs + serve(serviceInputs, after: inputs, at: instant), noted: inputs.count)
    }
    while let later = pending.first?.instant { await step(later) }
  }

  /// Returns the earliest instant at which another device, the governor, a service, the filter or the input
  /// source has an event. It is at most one tick after `end`.
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
  /// The smallest time span.
  static let tick = TimeSpan(nanoseconds: 1)
}
