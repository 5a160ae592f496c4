import StintBus
import StintDaemon
import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The samples of one demand, and the service that holds the demand.
struct SampleStream: Sendable {
  let service: ServiceID
  let batches: Batches
}

/// The calls of clients to the host of a bus.
struct BusCalls: Sendable {
  private let run: DaemonRun
  private let time: BusTime
  private let streams: ServiceCalls
  private let vocabulary: Vocabulary
  private let lastDemand = DemandNumbers()

  init(_ run: DaemonRun, _ time: BusTime, _ streams: ServiceCalls, _ vocabulary: Vocabulary) {
    self.run = run
    self.time = time
    self.streams = streams
    self.vocabulary = vocabulary
  }

  /// Sends an input to the services.
  @discardableResult
  func serve(_ input: ServiceInput) async -> SubmissionOutcome {
    await run.submit([input])
  }

  /// Returns the permissions of a client; nil when it was never attached.
  func permissions(of client: ClientID) async -> Permissions? { await run.status(of: client)?.permissions }

  /// Publishes values of facts.
  @discardableResult
  func publish(_ values: [(fact: Int, value: FactValue)]) async -> SubmissionOutcome {
    await run.submit(values.map { Input.fact($0.fact, $0.value) })
  }

  // MARK: Demands

  /// The prefix of the names of services that the bus creates to hold demands.
  private static let demandPrefix = "#"

  /// Raises a demand for a client. Throws when the device has no samples, when the device is unavailable,
  /// when the request is invalid, or when the client lacks permission.
  func open(_ request: DemandRequest, for client: String) async throws(Problem) -> SampleStream {
    let device = try request.target.device(in: vocabulary, isLost: streams.isLost)
    if let rejectionReason = request.rejectionReason { throw Problem(.invalid, cause: rejectionReason) }
    let number = lastDemand.next()
    let demand = DemandID(run.demandsBefore + number)
    let id = ServiceID(ClientID(client), "\(Self.demandPrefix)\(number)")
    let feed = DemandFeed(onWait: time.readerWaits)
    streams.open(feed, for: id)
    await run.reserve(feed.channel, for: demand)
    let sampleRequest = SampleRequest(
      demand, target: device, wants: request.wants, isServedInBackground: false,
      isForTargetOnly: request.isForTargetOnly)
    let outcome = await serve(.ask(id, sampleRequest, receivers: .both))
    do throws(Problem) {
      try Problem.check(outcome)
      if let refusal = streams.consumeRefusal(id) { throw Problem(refusal) }
      if case .failed(let failure) = feed.channel.end { throw failure }
      if case .unavailable(let reason, _)? = feed.status { throw Problem(.unavailable, cause: reason) }
    } catch {
      await serve(.end(id))
      streams.closeFeed(of: id)
      await run.cancelReservation(of: demand)
      throw error
    }
    let events = DemandEvents(feed, request: request, time: time)
    return SampleStream(service: id, batches: Batches(events: events))
  }

  func end(_ stream: SampleStream) async {
    await serve(.end(stream.service))
    streams.closeFeed(of: stream.service)
  }

  // MARK: Services

  func ask(_ id: ServiceID, _ request: any ServiceRequest) async throws(Problem) -> Notices {
    guard !id.name.hasPrefix(Self.demandPrefix) else {
      throw Problem(
        .invalid, cause: "“\(id.name)” begins with “\(Self.demandPrefix)”, which is reserved for demands")
    }
    if let samples = request as? RawSamples { _ = try vocabulary.sensor(named: samples.target) }
    let box = streams.prepare(id, maxAge: request.makeService().maxAge)
    let outcome = await serve(.ask(id, request, receivers: .both))
    let currentBox = streams.box(id, preparedAs: box)
    try Problem.check(outcome)
    if let refusal = streams.consumeRefusal(id) { throw Problem(refusal) }
    return Notices(box: currentBox, time: time)
  }

  func send(_ id: ServiceID, _ command: any ServiceCommand) async throws(Problem) {
    // The name becomes the place of problems.
    if let reason = InputBounds.rejectionReason(forName: id.name) { throw Problem(.invalid, cause: reason) }
    try Problem.check(await serve(.command(id, command)))
    if let refusal = streams.consumeRefusal(id) { throw Problem(refusal, of: id.name) }
  }

  /// Ends a service. Returns false when the service is not running.
  func end(_ id: ServiceID) async -> Bool {
    let wasRunning = await run.maxAge(of: id) != nil
    return await serve(.end(id)) == .done && wasRunning
  }

  /// Returns a sequence of notices that has ended.
  func endedNotices(_ end: ServiceEnd) -> Notices {
    let box = NoticeBox { _ in }
    box.finish(end)
    return Notices(box: box.take(), time: time)
  }

  /// Returns the notices of a service. An earlier process of the client may have requested the service.
  func notices(of id: ServiceID) async -> Notices {
    let maxAge = await run.maxAge(of: id)
    let box = streams.claimBox(id, isStanding: maxAge != nil)
    if let maxAge { box.maxAge = maxAge }
    return Notices(box: box, time: time)
  }
}

/// Numbers the demands of a bus.
private final class DemandNumbers: Sendable {
  private let last = Locked(Int64(0))

  func next() -> Int64 {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
