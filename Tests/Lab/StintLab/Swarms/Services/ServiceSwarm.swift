import StintModel
import StintServices
import StintUnits

/// Chooses clients and their services at random. Also chooses for each client: requests with times, crashes
/// and restarts, and the permissions that the user gives.
struct ServiceSwarm {
  /// The identity of the beacons along the path.
  static let identity = "f7826da6"

  private var random: SwarmRandom
  private let start: Instant
  private let duration: TimeSpan
  /// The positions that the phone passes during the run, in order of time.
  private let places: [Coordinate]
  private(set) var acts: [(at: Instant, act: ClientAction)] = []
  /// Clients that do not support background operation.
  private(set) var cannotBackground: Set<ClientID> = []

  /// Draws the clients; equal seeds give equal clients.
  ///
  /// - Parameter places: positions on the path in order of time; at least one.
  init(seed: UInt64, start: Instant, duration: TimeSpan, places: [Coordinate]) {
    random = SwarmRandom(seed: seed, salt: 1)
    self.start = start
    self.duration = duration
    self.places = places
    for number in 1...(2 + random.below(3)) { draw(ClientID("swarm-\(number)")) }
    for _ in 0..<random.below(6) {
      add(.fact("app.state", random.pick(["background", "foreground"])), at: time(in: 0, 85))
    }
  }

  static func beacons(along places: [Coordinate]) -> [PlacedBeacon] {
    [1, 2].map { number in
      PlacedBeacon(
        identity: identity, major: 10, minor: number, place: places[places.count * number / 3], range: 40)
    }
  }

  private mutating func add(_ act: ClientAction, at time: TimeSpan) { acts.append((start + time, act)) }

  /// Returns a random time from `first` to `last` hundredths of the run.
  private mutating func time(in first: Int64, _ last: Int64) -> TimeSpan {
    let hundredth = duration.nanoseconds / 100
    return random.span(TimeSpan(nanoseconds: hundredth * first), TimeSpan(nanoseconds: hundredth * last))
  }

  // MARK: Clients

  private mutating func draw(_ client: ClientID) {
    if random.once(in: 5) { cannotBackground.insert(client) }
    add(.attach(client), at: random.span(.zero, .minutes(2)))
    for number in 1...(1 + random.below(3)) { drawService(ServiceID(client, "s\(number)")) }
    for _ in 0..<random.below(4) {
      let detachTime = time(in: 5, 85)
      add(.detach(client), at: detachTime)
      add(
        .attach(client),
        at: detachTime + random.span(.minutes(1), TimeSpan(nanoseconds: duration.nanoseconds / 10)))
    }
    for _ in 0..<random.below(3) {
      let revocation = time(in: 5, 80)
      add(.authorize(client, random.pick([.denied, .undecided, .whenInUse])), at: revocation)
      let pause = random.span(.minutes(1), TimeSpan(nanoseconds: duration.nanoseconds / 10))
      add(.authorize(client, .always), at: revocation + pause)
    }
    // In the end, every client is authorized and attached, so that services can deliver their last notices.
    add(.authorize(client, .always), at: TimeSpan(nanoseconds: duration.nanoseconds / 100 * 96))
    add(.attach(client), at: TimeSpan(nanoseconds: duration.nanoseconds / 100 * 97))
  }

  private mutating func drawService(_ id: ServiceID) {
    let began = time(in: 1, 60)
    let request: any ServiceRequest
    switch random.below(12) {
    case 0:
      request = FixRequest(
        accuracy: random.pick([nil, 10, 100, 1000]).map(Length.meters),
        timeout: random.span(.seconds(10), .minutes(3)).duration)
    case 1, 2, 3:
      request = drawUpdates(id)
      drawUpdateCommands(id, from: began)
    case 4: request = RegionsRequest(drawRegions())
    case 5: request = BeaconsRequest(drawBeacons())
    case 6: request = RangingRequest(drawBeacons()[0])
    case 7: request = VisitsRequest(receivers: random.once(in: 2) ? ["app"] : ["app", "widget"])
    case 8:
      request = MovesRequest(
        maxAge: random.span(.minutes(1), .minutes(10)).duration,
        heartbeat: random.pick([nil, .minutes(15), .minutes(5)]),
        pausing: random.once(in: 2))
    case 9:
      request = MotionRequest(
        .acceleration, random.pick([.push, .push(latency: .seconds(10)), .pull]),
        interval: random.pick([.milliseconds(100), .milliseconds(500), .seconds(1)]))
      add(.command(id, MotionCommand.read), at: began + random.span(.seconds(1), .minutes(5)))
    case 10:
      request = OrientationRequest(interval: .seconds(1))
      for command in [OrientationCommand.observe, .begin, .end, .stopObserving] where !random.once(in: 4) {
        add(.command(id, command), at: began + random.span(.seconds(1), .minutes(20)))
      }
    default:
      request = drawTransfers()
      drawTasks(id, from: began)
    }
    add(.ask(id, request), at: began)
    if random.once(in: 3) { add(.end(id), at: began + time(in: 1, 30)) }
  }

  private mutating func drawUpdates(_ id: ServiceID) -> LocationUpdates {
    LocationUpdates(
      accuracy: random.pick([nil, 5, 10, 10, 50, 100, 1000, 3000]).map(Length.meters),
      filter: random.once(in: 5) ? .meters(50) : nil,
      period: random.pick([nil, .seconds(1), .seconds(5), .seconds(30), .minutes(10)]),
      activity: random.pick(LocationActivity.allCases),
      background: !cannotBackground.contains(id.client) && !random.once(in: 4), pausing: !random.once(in: 4),
      retry: random.once(in: 3)
        ? RetrySchedule(attemptDuration: .minutes(1), wait: .minutes(2), wakesOnMotion: random.once(in: 2))
        : nil,
      fuzz: random.once(in: 6))
  }

  private mutating func drawUpdateCommands(_ id: ServiceID, from began: TimeSpan) {
    for number in 0..<random.below(10) {
      let command: LocationCommand
      switch random.below(10) {
      case 0: command = .setActivity(random.pick(LocationActivity.allCases))
      case 1: command = .setAccuracy(random.pick([nil, 10, 100, 1000]).map(Length.meters))
      case 2: command = .setFilter(random.pick([nil, .meters(20)]))
      case 3: command = .setPausing(random.once(in: 2))
      case 4: command = .setBackground(random.once(in: 2))
      default:
        command = .deferUpdates(
          number, distance: random.pick([nil, 200, 1000]).map(Length.meters),
          time: random.pick([nil, random.span(.minutes(1), .minutes(30)).duration]))
      }
      add(.command(id, command), at: began + time(in: 0, 25))
    }
  }

  private mutating func drawRegions() -> [Region] {
    (1...(1 + random.below(3))).map { number in
      Region(
        "r\(number)", centre: random.pick(places), radius: .meters(Double(60 + random.below(300))),
        enterAfter: random.span(.zero, .minutes(1)).duration,
        exitAfter: random.span(.zero, .minutes(2)).duration)
    }
  }

  private mutating func drawBeacons() -> [BeaconRegion] {
    [
      BeaconRegion(
        "b1", identity: Self.identity, major: random.pick([nil, 10]),
        exitAfter: random.span(.seconds(10), .minutes(2)).duration)
    ]
  }

  private mutating func drawTransfers() -> TransferConfiguration {
    var configuration = TransferConfiguration()
    configuration.isDiscretionary = random.once(in: 2)
    configuration.allowsCellular = !random.once(in: 4)
    configuration.window = random.span(.minutes(5), .hours(2)).duration
    configuration.windowEnd = random.pick([.force, .fail])
    configuration.retries.limit = random.below(5)
    return configuration
  }

  private mutating func drawTasks(_ id: ServiceID, from began: TimeSpan) {
    for number in 1...(1 + random.below(5)) {
      let made = began + time(in: 0, 25)
      let task = "t\(number)"
      let kind: TransferRequest.Kind =
        random.once(in: 2)
        ? .download(from: "https://example.org/\(task)") : .upload(file: task, to: "https://example.org")
      let bytes = Int64(1 + random.below(400_000))
      add(
        .command(
          id, TransferCommand.create(task, TransferRequest(kind, bytesUp: bytes, bytesDown: bytes / 2))),
        at: made)
      add(.command(id, TransferCommand.resume(task)), at: made + random.span(.zero, .minutes(2)))
      if random.once(in: 6) {
        add(.command(id, TransferCommand.cancel(task)), at: made + random.span(.seconds(1), .minutes(30)))
      }
      if random.once(in: 6) {
        add(.command(id, TransferCommand.promote(task)), at: made + random.span(.seconds(1), .minutes(30)))
      }
    }
  }
}
