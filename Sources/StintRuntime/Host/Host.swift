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
/// A host makes no decisions. Real hardware and the simulator use the same loop with different plugins,
/// clocks and input sources.
public actor Host {
  var governor: Governor {
    didSet { governorTimer = governor.nextTimer }
  }
  /// The next instant at which the governor has an event.
  private var governorTimer: Instant
  let plugins: PluginSet
  /// The plugins by device index. Each protocol has a separate array, so that a step does not copy
  /// unused references.
  private let actors: [any DevicePlugin]
  let sensors: [(any SensorPlugin)?]
  let radios: [(any RadioPlugin)?]
  let processors: [(any ProcessorPlugin)?]
  /// By device index: the plugin if it runs in its own process or is a shared library. Such a plugin answers
  /// a drain, the request for its held samples, asynchronously. Nil for a linked plugin.
  let supervised: [(any SupervisedPlugin)?]
  private var source: any InputSource
  /// The instant of the next input of the source; the distant future after the last input.
  private var sourceInstant: Instant
  let observer: (any HostObserver)?
  private let observesDeliveries: Bool
  /// The next instant at which the observer gets a report of the governor.
  private var nextReport: Instant
  /// True to run devices with equal instants concurrently, on the threads of the executor.
  private let isParallel: Bool
  /// By device index: for each fact in the manifest, the index of that fact in the vocabulary.
  let factNumbers: [[Int]]
  /// For each device: the index of each fact of its manifest in the families of the vocabulary; -1 for a
  /// single fact.
  let familyNumbers: [[Int]]
  /// The indexes of facts whose device values are ignored, because the input source sets these facts.
  let muted: Set<Int>
  /// A reused buffer for the batches that are delivered to one demand.
  private var deliveryBuffer: [Batch] = []

  // The parts, each with its own state.
  var bay: DeviceBay
  var deliveries: DeliveryTable
  var desk: ServiceDesk
  var carriers: CarrierAttempts
  var journal: JournalDesk
  var inbox = Inbox()
  /// The submissions that the services have processed and that wait for a save. Each has the number of
  /// its save.
  var unsaved: [(save: Int, done: Promise<SubmissionOutcome>)] = []
  var silence: SilenceWatch
  private var faultyDevices = FaultyDevices()
  /// The total time for which the system was suspended, as known at the last event.
  var suspendedBefore = TimeSpan.zero
  /// Orders of sessions whose clients have read the notices that cause these orders. Any thread may
  /// add orders.
  let readOrders = Locked<[(service: ServiceID, order: TransferOrder)]>([])

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
    governorTimer = governor.nextTimer
    self.plugins = plugins
    actors = plugins.members.map(\.plugin)
    sensors = plugins.members.map(\.sensor)
    radios = plugins.members.map(\.radio)
    processors = plugins.members.map(\.processor)
    supervised = plugins.members.map { $0.plugin as? any SupervisedPlugin }
    self.source = source
    sourceInstant = source.nextInstant ?? .distantFuture
    self.observer = observer
    nextReport = governor.now
    self.isParallel = isParallel
    muted = source.assigned
    let vocabulary = governor.vocabulary
    factNumbers = plugins.manifests.map { $0.facts.map { vocabulary.fact($0.path) ?? -1 } }
    let families = Dictionary(
      uniqueKeysWithValues: vocabulary.families.enumerated().map { ($1.path, $0) })
    familyNumbers = plugins.manifests.map { $0.facts.map { families[$0.path] ?? -1 } }
    bay = DeviceBay(plugins.members, filter: filter)
    observesDeliveries = observer?.observesDeliveries ?? false
    deliveries = DeliveryTable(plugins.manifests, isObserved: observesDeliveries)
    desk = ServiceDesk(
      governor.vocabulary, at: governor.now, carriesTransfers: observer?.carriesTransfers ?? false)
    carriers = CarrierAttempts(plugins.members)
    silence = SilenceWatch(plugins.manifests)
    self.journal = JournalDesk(journal)
  }

  /// Opens all devices in order. Linked plugins get the loop that runs the calling task.
  public func open() async {
    await plugins.open(at: governor.now, on: LoopExecutor.current)
    for device in bay.indices { collect(device) }
    await step(governor.now)
  }

  /// The next instant at which a timer, a device or the input source has an event.
  public var nextEvent: Instant {
    min(
      min(governorTimer, sourceInstant, desk.nextTimer, bay.filterTimer), bay.nextAlarm,
      silence.nextDeadline)
  }

  /// Runs in virtual time, without waiting, up to and including `end`.
  public func run(until end: Instant) async {
    // Events of a filter or a script with instants before the start are handled at the start.
    while nextEvent <= end { await turn(at: max(nextEvent, governor.now), end: end) }
    await step(end)
  }

  /// Runs with a `HostClock` until the clock stops the run or `end` is reached. Calls `reload` when policy
  /// files have changed. Calls `attend` after each wait of the clock whose result is `ready`.
  public func run(
    until end: Instant, pace: some HostClock, reload: @Sendable (isolated Host, Instant) async -> Void,
    attend: @Sendable (isolated Host, Instant) async -> Void = { _, _ in }
  ) async {
    while true {
      let next = min(nextEvent, end)
      let event = await pace.wait(until: next)
      var reached = min(max(event.instant ?? max(next, pace.now), governor.now), end)
      excuseSilence(waiting: next, until: reached, pace)
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
  /// - Returns: the instant up to which all events are handled. Earlier than `reached` when the clock
  ///   requests a pause.
  private func catchUp(to reached: Instant, _ pace: some HostClock) async -> Instant {
    // A device's thread may set an alarm that is earlier than events that were handled in the meantime.
    while nextEvent <= reached {
      if pace.mustPause { return governor.now }
      await turn(at: max(nextEvent, governor.now), end: reached)
    }
    return reached
  }

  /// Handles all events of one instant: devices, inputs and timers.
  private func turn(at instant: Instant, end: Instant) async {
    let due = bay.clearAlarms(upTo: instant)
    let horizon = due.count == 1 ? horizon(beside: due[0], from: instant, end: end) : instant + TimeSpan.tick
    await wake(due, at: instant, horizon: horizon)
    for device in due { collect(device) }
    var inputs: [Input] = []
    if bay.filterTimer <= instant {
      let isLow = bay.memoryIsLow(at: instant)
      for sentence in bay.collectFiltered(at: instant, route: { route($1, from: $0, at: $2) }) {
        observer?.refused(sentence, at: instant)
      }
      for device in bay.indices { reportInvalidBatches(of: device) }
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
    while let later = bay.span?.first { await step(later) }
    if silence.nextDeadline <= instant { await failSilentDevices(at: instant) }
  }

  /// Returns the instant of the earliest event that does not come from `device`. The event comes from another
  /// device, the governor, a service, the filter or the input source. The result is at most one tick after
  /// `end`.
  private func horizon(beside device: Int, from instant: Instant, end: Instant) -> Instant {
    let horizon = min(
      governorTimer, sourceInstant, desk.nextTimer, min(bay.filterTimer, end + TimeSpan.tick),
      bay.nextAlarm(beside: device))
    return max(horizon, instant + TimeSpan.tick)
  }

  private func wake(_ due: [Int], at instant: Instant, horizon: Instant) async {
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

  // MARK: Steps

  /// Updates the instant of the next input of the source, which may depend on the effects of services.
  func updateSource() { sourceInstant = source.nextInstant ?? .distantFuture }

  /// Publishes a batch to the demands that its device serves, and to their services. The batch is nil when
  /// its port has dropped all samples. Returns false when no sample is valid.
  func route(_ received: Batch?, from device: Int, at instant: Instant) -> Bool {
    guard let received else {
      deliveries.noteInvalidBatch(of: device)
      return false
    }
    let routing = deliveries.route(received, from: device, at: instant)
    refuse(routing.refusals, of: device, at: instant)
    guard let batch = routing.batch else { return false }
    // A service receives every sample, because samples that were measured for other clients cost no extra
    // energy. The service delivers to its client at the client's rate.
    desk.add(batch, for: routing.receivers)
    guard observesDeliveries, let observer else { return true }
    for receiver in routing.receivers {
      guard !receiver.isReadByClient else {
        observer.delivered(batch, to: receiver.demand, at: instant)
        continue
      }
      receiver.channel.drainAll(into: &deliveryBuffer)
      for waiting in deliveryBuffer { observer.delivered(waiting, to: receiver.demand, at: instant) }
      deliveryBuffer.removeAll(keepingCapacity: true)
    }
    return true
  }

  func freeBuffer() { deliveryBuffer = [] }

  /// The maximum number of governor steps at one instant. More steps mean an endless loop.
  private static let maxSteps = 10_000

  /// Steps the governor at one instant until no device has further reports for this instant.
  ///
  /// A device with its own thread may have reported at a later instant than `wanted`, so that the governor is
  /// already ahead. In that case the step happens at the governor's instant, because the governor would
  /// reject an earlier step together with its inputs.
  ///
  /// - Parameter noted: the number of inputs at the start of `first` that the services already received.
  func step(_ wanted: Instant, inputs first: [Input] = [], noted: Int = 0) async {
    let instant = max(wanted, governor.now)
    var inputs = gather(upTo: instant)
    var known = inputs.count..<(inputs.count + noted)
    inputs += first
    var isFirst = true
    for _ in 0..<Self.maxSteps {
      guard isFirst || !inputs.isEmpty || desk.hasInput else {
        report(instant)
        return
      }
      isFirst = false
      await step(inputs, at: instant, known: known)
      known = 0..<0
      inputs = gather(upTo: instant)
      guard desk.isServing else { continue }
      inputs += stepServices(at: instant)
      if await deliverOrders(at: instant) { inputs += gather(upTo: instant) }
    }
    observer?.refused("devices and policies respond to each other endlessly", at: instant)
  }

  /// Reports the state of the governor to the observer.
  func report(_ instant: Instant) {
    for message in journal.settled(at: instant, governor: { governor }) {
      observer?.logged(message, at: instant)
    }
    guard let observer else { return }
    if observer.observesIdle { observer.becameIdle(governor, at: instant) }
    guard instant >= nextReport else { return }
    nextReport = instant + .minutes(1)
    observer.settled(governor, at: instant)
  }

  /// Performs one step: passes inputs to the governor and performs the effects.
  ///
  /// - Parameter known: the indexes of inputs that the services already received.
  private func step(_ inputs: [Input], at instant: Instant, known: Range<Int>) async {
    for (index, input) in inputs.enumerated() { note(input, isKnown: known.contains(index), at: instant) }
    journal.record(inputs, at: instant)
    let effects = governor.step(inputs, at: instant)
    if !effects.isEmpty { await perform(effects, at: instant) }
    reportFaults(among: effects, at: instant)
  }

  /// Notifies the observer about demands whose device has become faulty or has recovered.
  private func reportFaults(among effects: [Effect], at instant: Instant) {
    guard let observer else { return }
    let faulted = effects.compactMap { effect -> DeviceID? in
      if case .faulted(let device, _) = effect { plugins.members[device].device } else { nil }
    }
    for device in faultyDevices.changes(after: faulted, governor) {
      for (demand, grant) in governor.demands(servedBy: device) {
        observer.granted(grant, to: demand, in: governor, at: instant)
      }
    }
  }

  // MARK: Reports of devices

  /// Collects the new reports of a device. Batches are routed at once, to the demands that the device
  /// serves now.
  func collect(_ device: Int) {
    // A plugin adds its batches to the port before it completes a drain, so the drain can end once these
    // batches are routed.
    let isDrained = deliveries.isDraining(device) && !(supervised[device]?.isDraining ?? false)
    let sentences = bay.collect(device) { batch, instant in route(batch, from: device, at: instant) }
    refuse(sentences, of: device, at: governor.now)
    reportInvalidBatches(of: device)
    guard isDrained else { return }
    for ended in deliveries.endDrain(of: device) { end(ended, at: governor.now) }
  }

  /// Reports a fault of a device that has delivered only invalid batches for some time.
  private func reportInvalidBatches(of device: Int) {
    guard let fault = deliveries.takeFault(of: device) else { return }
    plugins.members[device].port.report(
      .fault(fault), at: max(governor.now, bay.span?.last ?? governor.now))
    collect(device)
  }

  /// Reports dropped data of a device to the observer.
  func refuse(_ sentences: [String], of device: Int, at instant: Instant) {
    for sentence in sentences { observer?.faulted(plugins.members[device].device, sentence, at: instant) }
  }

  func note(_ input: Input, isKnown: Bool, at instant: Instant) {
    // Reading the vocabulary of the governor copies all its members.
    if !isKnown, desk.handles(input) { desk.forward(input, governor.vocabulary) }
    guard case .raise(let demand) = input else { return }
    deliveries.add(demand)
    observer?.raised(demand, at: instant)
  }
}

extension TimeSpan {
  /// The smallest time span.
  static let tick = TimeSpan(nanoseconds: 1)
}
