import StintModel
import StintServices
import StintUnits

/// A service board with one client, without a host. The bench simulates a positioning device and the facts of
/// an accelerometer.
///
/// Each demand for positions receives a position at once and then one per period. Each activity begins at the
/// second that the test specifies.
struct PlacesBench {
  /// A notice, with the second of its delivery.
  struct TimedNotice: Sendable {
    var second: Double
    var notice: any ServiceNotice
  }

  static let wifi = DeviceID("location.wifi")
  static let origin = Coordinate(latitude: 47, longitude: 8) ?? Coordinate.equator
  static let activities = ["still", "walking", "running", "cycling", "automotive"]
  static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: wifi, kind: .sensor, title: "Positions",
      states: [PowerState(name: "off", power: .zero, isOn: false)], initial: 0, safe: 0,
      facts: ["latitude", "longitude", "accuracy"].map {
        FactSchema(path: "location.wifi.\($0)", type: .quantity(.length), maxAge: .minutes(5))
      }),
    Manifest(
      device: "motion.accelerometer", kind: .sensor, title: "Shaking",
      states: [PowerState(name: "off", power: .zero, isOn: false)], initial: 0, safe: 0,
      facts: [FactSchema(path: "motion.activity", type: .symbol(activities), maxAge: .seconds(90))]),
  ])

  private(set) var board = ServiceBoard(Self.vocabulary, at: .epoch)
  private(set) var now = Instant.epoch
  private(set) var timedNotices: [TimedNotice] = []
  /// The launches, the sentences for the user and the rejections, in order.
  private(set) var acts: [String] = []
  /// The signals that services published for policies, with their seconds.
  private(set) var signals: [(second: Double, signal: ServiceSignal)] = []
  /// The number of delivered positions.
  private(set) var fixCount = 0
  /// The number of wake-ups that services requested.
  private(set) var wakes = 0
  /// The position at a number of seconds after the start: metres north and east, and the accuracy of a fix.
  var place: (Double) -> (north: Double, east: Double, accuracy: Double)
  /// The activities with the seconds at which they begin, sorted.
  var activities: [(second: Double, name: String)] = []
  private var demands: [(demand: Demand, next: Instant)] = []
  private var sequence: UInt64 = 0
  private var lastFix: Instant?
  /// True while the positioning device is available.
  private(set) var isThere = true

  init(place: @escaping (Double) -> (north: Double, east: Double, accuracy: Double) = { _ in (0, 0, 50) }) {
    self.place = place
    serve(.attach("app", permissions: .always, mayBackground: true))
  }

  var second: Double { now.nanoseconds == 0 ? 0 : Double(now.nanoseconds) / 1e9 }

  mutating func serve(_ inputs: ServiceInput...) { serve(inputs) }

  private mutating func serve(_ inputs: [ServiceInput]) { perform(board.step(inputs, at: now)) }

  mutating func ask(_ name: String, _ request: any ServiceRequest, for client: ClientID = "app") {
    serve(.ask(ServiceID(client, name), request, receivers: .both))
  }

  /// Restarts the process: a new board restores the saved state, after the inputs `first`.
  mutating func restart(_ first: ServiceInput...) throws {
    let saved = try SavedText.services(of: board)
    board = ServiceBoard(Self.vocabulary, at: now)
    demands.removeAll()
    lastFix = nil
    serve(first + [.restore(saved)])
  }

  /// Makes the positioning device available or unavailable.
  mutating func setAvailable(_ isThere: Bool) {
    self.isThere = isThere
    serve(.device(Self.wifi, .available(isThere)))
    for place in demands.indices where demands[place].demand.target == Self.wifi {
      serve(.granted(demands[place].demand.id, grant))
      demands[place].next = isThere ? now : .distantFuture
    }
    sample()
  }

  private var grant: Grant { Grant(status: isThere ? .served : .unavailable, provider: Self.wifi) }

  mutating func run(to second: Double) {
    let end = Instant(nanoseconds: Int64(second * 1e9))
    while true {
      var next = board.nextTimer
      for entry in demands { next = min(next, entry.next) }
      if let change = activities.first { next = min(next, Instant(nanoseconds: Int64(change.second * 1e9))) }
      guard next <= end else { break }
      now = max(now, next)
      while let change = activities.first, Instant(nanoseconds: Int64(change.second * 1e9)) <= now {
        activities.removeFirst()
        let word = Self.activities.firstIndex(of: change.name) ?? 0
        serve(.fact("motion.activity", .symbol(word)))
      }
      sample()
      if board.nextTimer <= now { serve() }
    }
    now = end
  }

  private mutating func sample() {
    for place in demands.indices.reversed()
    where demands.indices.contains(place) && demands[place].next <= now {
      let demand = demands[place].demand
      demands[place].next = demand.wants.period.map { now + $0 } ?? .distantFuture
      let seen = self.place(second)
      let spot = Self.origin.moved(north: seen.north, east: seen.east)
      sequence += 1
      fixCount += 1
      lastFix = now
      let sample = Sample(
        instant: now, sequence: sequence, spot.latitude, spot.longitude, seen.accuracy)
      let batch = Batch(device: Self.wifi, samples: [sample], reason: .immediate)
      serve(.batch(batch, [demand.id]))
    }
  }

  private mutating func perform(_ effects: [ServiceEffect]) {
    for effect in effects {
      switch effect {
      case .raise(let demand):
        let isPosition = demand.target == Self.wifi
        // When a position was already delivered at this instant, the first position of a new demand follows
        // after one period.
        let first = lastFix == now ? now + (demand.wants.period ?? .seconds(30)) : now
        demands.append((demand, isPosition && isThere ? first : .distantFuture))
        if isPosition, !isThere { serve(.granted(demand.id, grant)) }
      case .release(let id), .withdraw(let id): demands.removeAll { $0.demand.id == id }
      case .wake: wakes += 1
      case .publishSignal(let signal, .boolean(true)): signals.append((second, signal))
      case .order, .publish, .publishSignal, .presence, .permissions, .setHasConsumer, .accepted, .over: break
      case .notice(_, let notice): timedNotices.append(TimedNotice(second: second, notice: notice))
      case .launch(let client, let reason): acts.append("launch \(client) \(reason)")
      case .notifyUser(_, let sentence): acts.append(sentence)
      case .refused(_, let failure), .refusedCommand(_, let failure):
        acts.append("refused \(failure.code.name)")
      }
    }
    sample()
  }

  var targets: [String] { demands.map(\.demand.target.path).sorted() }

  func notices<Notice: ServiceNotice>(_ type: Notice.Type = Notice.self) -> [Notice] {
    timedNotices.compactMap { $0.notice as? Notice }
  }
}

extension Coordinate {
  fileprivate static var equator: Coordinate {
    guard let place = Coordinate(latitude: 0, longitude: 0) else {
      preconditionFailure("0, 0 is a valid coordinate")
    }
    return place
  }
}

struct SeededRandom {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func unit() -> Double { Double(bits() >> 11) * 0x1p-53 }

  mutating func number(below limit: Int) -> Int { Int(bits() % UInt64(limit)) }

  /// An approximately normal number with mean 0 and deviation 1.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
}
