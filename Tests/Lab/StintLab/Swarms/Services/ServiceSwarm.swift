import StintModel
import StintServices
import StintUnits

/// Chooses clients and their services at random: their requests with times, their crashes and restarts, and
/// the permissions that users give them.
struct ServiceSwarm {
  /// The identity of the beacons along the path.
  static let identity = "f7826da6"

  private var dice: SwarmRandom
  private let start: Instant
  private let duration: TimeSpan
  /// Future positions of the phone, in order of time.
  private let places: [Coordinate]
  private(set) var acts: [(at: Instant, act: ClientAction)] = []
  /// Clients that do not support background operation.
  private(set) var cannotBackground: Set<ClientID> = []

  /// Draws the clients; equal seeds give equal clients.
  ///
  /// - Parameter places: positions on the path in order of time; at least one.
  init(seed: UInt64, start: Instant, duration: TimeSpan, places: [Coordinate]) {
    dice = SwarmRandom(seed: seed, salt: 1)
    self.start = start
    self.duration = duration
    self.places = places
    for number in 1...(2 + dice.below(3)) { draw(ClientID("swarm-\(number)")) }
    for _ in 0..<dice.below(6) {
      add(.fact("app.state", dice.pick(["background", "foreground"])), at: time(in: 0, 85))
    }
  }

  /// Returns the positions of beacons.
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
    return dice.span(TimeSpan(nanoseconds: hundredth * first), TimeSpan(nanoseconds: hundredth * last))
  }

  // MARK: Clients

  private mutating func draw(_ client: ClientID) {
    if dice.once(in: 5) { cannotBackground.insert(client) }
    add(.attach(client), at: dice.span(.zero, .minutes(2)))
    for number in 1...(1 + dice.below(3)) { drawService(ServiceID(client, "s\(number)")) }
    for _ in 0..<dice.below(4) {
      let detachTime = time(in: 5, 85)
      add(.detach(client), at: detachTime)
      add(
        .attach(client),
        at: detachTime + dice.span(.minutes(1), TimeSpan(nanoseconds: duration.nanoseconds / 10)))
    }
    for _ in 0..<dice.below(3) {
      let revocation = time(in: 5, 80)
      add(.authorize(client, dice.pick([.denied, .undecided, .whenInUse])), at: revocation)
      let pause = dice.span(.minutes(1), TimeSpan(nanoseconds: duration.nanoseconds / 10))
      add(.authorize(client, .always), at: revocation + pause)
    }
    // In the end every client is authorized and attached, so that services can deliver their last notices.
    add(.authorize(client, .always), at: TimeSpan(nanoseconds: duration.nanoseconds / 100 * 96))
    add(.attach(client), at: TimeSpan(nanoseconds: duration.nanoseconds / 100 * 97))
  }

  private mutating func drawService(_ id: ServiceID) {
    let began = time(in: 1, 60)
    let request: any ServiceRequest
    switch dice.below(12) {
    case 0:
      request = FixRequest(
        accuracy: dice.pick([nil, 10, 100, 1000]).map(Length.meters),
        timeout: dice.span(.seconds(10), .minutes(3)).duration)
    case 1, 2, 3:
      request = drawUpdates(id)
      drawUpdateCommands(id, from: began)
    case 4: request = RegionsRequest(drawRegions())
    case 5: request = BeaconsRequest(drawBeacons())
    case 6: request = RangingRequest(drawBeacons()[0])
    case 7: request = VisitsRequest(receivers: dice.once(in: 2) ? ["app"] : ["app", "widget"])
    case 8:
      request = MovesRequest(
        maxAge: dice.span(.minutes(1), .minutes(10)).duration,
        heartbeat: dice.pick([nil, .minutes(15), .minutes(5)]),
        pausing: dice.once(in: 2))
    case 9:
      request = MotionRequest(
        .acceleration, dice.pick([.push, .push(latency: .seconds(10)), .pull]),
        interval: dice.pick([.milliseconds(100), .milliseconds(500), .seconds(1)]))
      add(.command(id, MotionCommand.read), at: began + dice.span(.seconds(1), .minutes(5)))
    case 10:
      request = OrientationRequest(interval: .seconds(1))
      for command in [OrientationCommand.observe, .begin, .end, .stopObserving] where !dice.once(in: 4) {
        add(.command(id, command), at: began + dice.span(.seconds(1), .minutes(20)))
      }
    default:
      request = drawTransfers()
      drawTasks(id, from: began)
    }
    add(.ask(id, request), at: began)
    if dice.once(in: 3) { add(.end(id), at: began + time(in: 1, 30)) }
  }

  private mutating func drawUpdates(_ id: ServiceID) -> LocationUpdates {
    LocationUpdates(
      accuracy: dice.pick([nil, 5, 10, 10, 50, 100, 1000, 3000]).map(Length.meters),
      filter: dice.once(in: 5) ? .meters(50) : nil,
      period: dice.pick([nil, .seconds(1), .seconds(5), .seconds(30), .minutes(10)]),
      activity: dice.pick(LocationActivity.allCases),
      background: !cannotBackground.contains(id.client) && !dice.once(in: 4), pausing: !dice.once(in: 4),
      retry: dice.once(in: 3)
        ? RetrySchedule(patience: .minutes(1), wait: .minutes(2), wakesOnMotion: dice.once(in: 2)) : nil,
      fuzz: dice.once(in: 6))
  }

  private mutating func drawUpdateCommands(_ id: ServiceID, from began: TimeSpan) {
    for number in 0..<dice.below(10) {
      let command: LocationCommand
      switch dice.below(10) {
      case 0: command = .setActivity(dice.pick(LocationActivity.allCases))
      case 1: command = .setAccuracy(dice.pick([nil, 10, 100, 1000]).map(Length.meters))
      case 2: command = .setFilter(dice.pick([nil, .meters(20)]))
      case 3: command = .setPausing(dice.once(in: 2))
      case 4: command = .setBackground(dice.once(in: 2))
      default:
        command = .deferUpdates(
          number, distance: dice.pick([nil, 200, 1000]).map(Length.meters),
          time: dice.pick([nil, dice.span(.minutes(1), .minutes(30)).duration]))
      }
      add(.command(id, command), at: began + time(in: 0, 25))
    }
  }

  private mutating func drawRegions() -> [Region] {
    (1...(1 + dice.below(3))).map { number in
      Region(
        "r\(number)", centre: dice.pick(places), radius: .meters(Double(60 + dice.below(300))),
        enterAfter: dice.span(.zero, .minutes(1)).duration,
        exitAfter: dice.span(.zero, .minutes(2)).duration)
    }
  }

  private mutating func drawBeacons() -> [BeaconRegion] {
    [
      BeaconRegion(
        "b1", identity: Self.identity, major: dice.pick([nil, 10]),
        exitAfter: dice.span(.seconds(10), .minutes(2)).duration)
    ]
  }

  private mutating func drawTransfers() -> TransferConfiguration {
    var configuration = TransferConfiguration()
    configuration.isDiscretionary = dice.once(in: 2)
    configuration.allowsCellular = !dice.once(in: 4)
    configuration.window = dice.span(.minutes(5), .hours(2)).duration
    configuration.windowEnd = dice.pick([.force, .fail])
    configuration.retries.limit = dice.below(5)
    return configuration
  }

  private mutating func drawTasks(_ id: ServiceID, from began: TimeSpan) {
    for number in 1...(1 + dice.below(5)) {
      let made = began + time(in: 0, 25)
      let task = "t\(number)"
      let kind: TransferRequest.Kind =
        dice.once(in: 2)
        ? .download(from: "https://example.org/\(task)") : .upload(file: task, to: "https://example.org")
      let bytes = Int64(1 + dice.below(400_000))
      add(
        .command(
          id, TransferCommand.create(task, TransferRequest(kind, bytesUp: bytes, bytesDown: bytes / 2))),
        at: made)
      add(.command(id, TransferCommand.resume(task)), at: made + dice.span(.zero, .minutes(2)))
      if dice.once(in: 6) {
        add(.command(id, TransferCommand.cancel(task)), at: made + dice.span(.seconds(1), .minutes(30)))
      }
      if dice.once(in: 6) {
        add(.command(id, TransferCommand.promote(task)), at: made + dice.span(.seconds(1), .minutes(30)))
      }
    }
  }
}
