import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

/// The thirty calls of the platforms' energy guides about location, motion and networking, as an app writes
/// them with Stint. Each call has at most six lines; a test counts the lines in this file.
@Suite struct GuideCallsTests {
  private final class Orders: Sendable { let list = Locked<[String]>([]) }

  /// An app on a phone whose user walks for 40 minutes and then rests, in virtual time.
  final class Stage: Sendable {
    let bus: Bus
    let app: Client
    private let orders = Orders()

    init() async throws {
      let phone = try GuideCallsTests.phone()
      let orders = orders
      bus = try await Bus(
        plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart),
        onOrder: { _, name, _ in orders.list.withLock { $0.append(name) } })
      app = try await bus.attach("app", authorized: .always)
      await app.setPresence(.foreground)
    }

    func wait(_ seconds: Double) async throws { try await bus.advance(by: .seconds(seconds)) }

    /// Ends a request after a time, and returns its notices.
    func notices<Notice: ServiceNotice>(
      _ notices: Notices, _ name: String, after seconds: Double, _ type: Notice.Type = Notice.self
    ) async throws -> [Notice] {
      try await wait(seconds)
      await app.end(name)
      var all: [Notice] = []
      for await notice in notices { if let notice = notice as? Notice { all.append(notice) } }
      return all
    }

    func fixes(_ notices: Notices, _ name: String, after seconds: Double) async throws -> [Fix] {
      try await self.notices(notices, name, after: seconds, LocationNotice.self).flatMap { notice in
        if case .fixes(let fixes) = notice { fixes } else { [Fix]() }
      }
    }

    func isOn(_ device: String) async -> Bool {
      await bus.devices().contains { $0.name == device && $0.isOn }
    }
    func orders(after seconds: Double) async throws -> [String] {
      try await wait(seconds)
      return orders.list.withLock { $0 }
    }

    func why() async -> String { await bus.why("location.gnss") }
  }

  /// A call of the guides, with a check of its effect.
  struct Call: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (Stage) async throws -> Bool
    init(_ name: String, _ run: @escaping @Sendable (Stage) async throws -> Bool) {
      (self.name, self.run) = (name, run)
    }
    var testDescription: String { name }
  }

  static let origin = Coordinate(latitude: 47.05, longitude: 8.31)
  static let home = Region("home", centre: origin.unsafelyUnwrapped, radius: .meters(200))
  static let download = TransferRequest(.download(from: "https://a.example"), bytesDown: 9000)
  static let dock = BeaconRegion("dock", identity: "dock")

  // calls begin
  static let location: [Call] = [
    Call("ask for the permission while in use") { stage in
      await stage.app.authorize(.undecided)
      let answer = try await stage.app.ask("may", for: PermissionRequest(purpose: "to draw your way"))
      await stage.app.authorize(.whenInUse)
      return try await stage.notices(answer, "may", after: 1, PermissionRequest.Answer.self).count == 1
    },
    Call("ask for the permission at any time") { stage in
      await stage.app.authorize(.undecided)
      let answer = try await stage.app.ask("may", for: PermissionRequest(purpose: "to guard your home"))
      await stage.app.authorize(.always)
      let answers = try await stage.notices(answer, "may", after: 1, PermissionRequest.Answer.self)
      return answers.map(\.permissions.location) == [.always]
    },
    Call("read the permission") { stage in
      await stage.app.authorize(.whenInUse)
      return await stage.app.permissions?.location == .whenInUse
    },
    Call("request one position") { stage in
      let notices = try await stage.app.ask("here", for: FixRequest(accuracy: .meters(10)))
      let answers = try await stage.notices(notices, "here", after: 60, LocationNotice.self)
      guard case .answer(let fix)? = answers.last else { return false }
      let isOn = await stage.isOn("location.gnss")
      return fix.accuracy <= 10 && !isOn
    },
    Call("start updates") { stage in
      let way = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      return try await stage.fixes(way, "way", after: 120).count > 60
    },
    Call("stop updates") { stage in
      _ = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      try await stage.wait(60)
      await stage.app.end("way")
      try await stage.wait(60)
      return await !stage.isOn("location.gnss")
    },
    Call("set the accuracy of running updates") { stage in
      _ = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      try await stage.wait(60)
      try await stage.app.send("way", LocationCommand.setAccuracy(.meters(3000)))
      try await stage.wait(60)
      return await !stage.isOn("location.gnss")
    },
    Call("set a distance filter") { stage in
      let way = try await stage.app.ask(
        "way", for: LocationUpdates(accuracy: .meters(10), filter: .meters(50)))
      let fixes = try await stage.fixes(way, "way", after: 600)
      return (10...20).contains(fixes.count)
    },
    Call("set the activity") { stage in
      _ = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10), activity: .automotive))
      try await stage.wait(10)
      return await stage.why().contains("automotive")
    },
    Call("pause updates automatically") { stage in
      let way = try await stage.app.ask(
        "way", for: LocationUpdates(accuracy: .meters(10), activity: .fitness, pausing: true))
      return try await stage.notices(way, "way", after: 3600, LocationNotice.self).contains(.paused)
    },
    Call("continue updates in the background") { stage in
      _ = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10), background: true))
      await stage.app.setPresence(.background)
      try await stage.wait(60)
      return await stage.isOn("location.gnss")
    },
    Call("defer updates") { stage in
      let way = try await stage.app.ask(
        "way", for: LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
      await stage.app.setPresence(.background)
      try await stage.app.send("way", LocationCommand.deferUpdates(1, time: .minutes(2)))
      let all = try await stage.notices(way, "way", after: 150, LocationNotice.self)
      return all.contains { if case .deferralEnded(1, .reached) = $0 { true } else { false } }
    },
    Call("ask whether updates can be deferred") { stage in
      let way = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      try await stage.app.send("way", LocationCommand.askDeferral)
      return try await stage.notices(way, "way", after: 1, LocationNotice.self).contains(.canDefer(true))
    },
    Call("monitor significant changes") { stage in
      let moves = try await stage.app.ask("moves", for: MovesRequest())
      return try await stage.notices(moves, "moves", after: 2400, MoveNotice.self).count >= 2
    },
    Call("monitor a region") { stage in
      let regions = try await stage.app.ask("regions", for: RegionsRequest([home]))
      return try await stage.notices(regions, "regions", after: 1800, RegionNotice.self).contains(
        .exited("home"))
    },
    Call("request the state of a region") { stage in
      let regions = try await stage.app.ask("regions", for: RegionsRequest([home]))
      let states = try await stage.notices(regions, "regions", after: 60, RegionNotice.self)
      return states.contains(.known(region: "home", isInside: true))
    },
    Call("monitor visits") { stage in
      let visits = try await stage.app.ask("visits", for: VisitsRequest())
      return try await !stage.notices(visits, "visits", after: 4500, VisitNotice.self).isEmpty
    },
    Call("range a beacon") { stage in
      let dock = try await stage.app.ask("dock", for: RangingRequest(dock))
      let seen = try await stage.notices(dock, "dock", after: 10, RangingNotice.self)
      return seen.contains { if case .ranged = $0 { true } else { false } }
    },
  ]

  static let motion: [Call] = [
    Call("begin orientation notifications") { stage in
      _ = try await stage.app.ask("turns", for: OrientationRequest(isObserved: true))
      try await stage.wait(5)
      return await stage.isOn("motion.accelerometer")
    },
    Call("end orientation notifications") { stage in
      _ = try await stage.app.ask("turns", for: OrientationRequest(isObserved: true))
      try await stage.wait(5)
      await stage.app.end("turns")
      try await stage.wait(30)
      return await !stage.isOn("motion.accelerometer")
    },
    Call("start accelerometer updates with a handler") { stage in
      let shaking = try await stage.app.ask(
        "shaking", for: MotionRequest(.acceleration, interval: .milliseconds(100)))
      return try await stage.count(shaking, "shaking", after: 10) >= 90
    },
    Call("read the newest acceleration when needed") { stage in
      let request = MotionRequest(.acceleration, .pull, interval: .milliseconds(100))
      let shaking = try await stage.app.ask("shaking", for: request)
      try await stage.wait(10)
      try await stage.app.send("shaking", MotionCommand.read)
      return try await stage.notices(shaking, "shaking", after: 5, MotionNotice.self).count == 1
    },
    Call("start gyroscope updates") { stage in
      let turning = try await stage.app.ask(
        "turning", for: MotionRequest(.rotation, interval: .milliseconds(100)))
      return try await stage.count(turning, "turning", after: 10) >= 90
    },
    Call("start magnetometer updates") { stage in
      let field = try await stage.app.ask(
        "field", for: MotionRequest(.magneticField, interval: .milliseconds(100)))
      return try await stage.count(field, "field", after: 10) >= 90
    },
    Call("start device motion updates") { stage in
      let attitude = try await stage.app.ask(
        "attitude", for: MotionRequest(.deviceMotion, interval: .milliseconds(100)))
      return try await stage.count(attitude, "attitude", after: 10) >= 90
    },
    Call("set the update interval") { stage in
      let shaking = try await stage.app.ask(
        "shaking", for: MotionRequest(.acceleration, interval: .seconds(1)))
      try await stage.app.send("shaking", MotionCommand.interval(.milliseconds(100)))
      return try await stage.count(shaking, "shaking", after: 10) >= 90
    },
  ]

  static let network: [Call] = [
    Call("make a background session with a download") { stage in
      _ = try await stage.app.ask("sync", for: TransferConfiguration())
      let mail = TransferRequest(.download(from: "https://mail.example/new"), bytesDown: 9000)
      try await stage.app.send("sync", TransferCommand.create("mail", mail))
      try await stage.app.send("sync", TransferCommand.resume("mail"))
      return try await !stage.orders(after: 60).isEmpty
    },
    Call("make a discretionary session") { stage in
      _ = try await stage.app.ask("sync", for: TransferConfiguration.discretionary)
      let photo = TransferRequest(.download(from: "https://photo.example/1"), bytesDown: 9_000_000)
      try await stage.app.send("sync", TransferCommand.create("photo", photo))
      try await stage.app.send("sync", TransferCommand.resume("photo"))
      return try await stage.orders(after: 60).isEmpty
    },
    Call("set the time within which a task must be complete") { stage in
      let sync = try await stage.app.ask("sync", for: TransferConfiguration.discretionary)
      try await stage.app.send("sync", TransferCommand.window(.minutes(10)))
      try await stage.app.send("sync", TransferCommand.create("a", download))
      try await stage.app.send("sync", TransferCommand.resume("a"))
      let all = try await stage.notices(sync, "sync", after: 700, TransferNotice.self)
      return all.contains(.waiting("a", .forced))
    },
    Call("cancel a task") { stage in
      let sync = try await stage.app.ask("sync", for: TransferConfiguration())
      try await stage.app.send(
        "sync", TransferCommand.create("a", download))
      try await stage.app.send("sync", TransferCommand.cancel("a"))
      let all = try await stage.notices(sync, "sync", after: 10, TransferNotice.self)
      return all.contains { if case .failed("a", _) = $0 { true } else { false } }
    },
  ]
  // calls end

  @Test("each of the thirty calls of the guides has its effect", arguments: location + motion + network)
  func effect(call: Call) async throws {
    let stage = try await Stage()
    #expect(try await call.run(stage))
    await stage.bus.close()
  }

  @Test("there are thirty calls, and each has at most six lines")
  func lengths() throws {
    let path = Repository.path("Tests/StintRuntimeTests/Embedding/GuideCallsTests.swift")
    let lines = String(decoding: try FileText.read(path), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex(of: "  // calls begin"))
    let last = try #require(lines.firstIndex(of: "  // calls end"))
    let bodies = lines[first..<last].split { $0.hasPrefix("    Call(") }.dropFirst()
    #expect(bodies.count == 30)
    for body in bodies {
      let own = body.prefix { $0 != "    }," }
      #expect(own.count <= 6, "\(own.first ?? "")")
    }
  }

  fileprivate static func phone() throws -> ReferencePhone {
    let origin = try #require(origin)
    var scenario = Scenario(
      name: "guide", start: .epoch + .hours(500_000), duration: .hours(4), origin: origin,
      legs: [
        Leg(activity: .walking, duration: .minutes(40), speed: 1.4, heading: 40, sky: .open),
        Leg(activity: .still, duration: .hours(3), speed: 0, heading: 0, sky: .open),
      ])
    scenario.devices = ReferencePhone.deviceNames + ReferencePhone.optionalDeviceNames
    scenario.beacons = [PlacedBeacon(identity: "dock", major: 1, minor: 1, place: origin)]
    return ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
  }
}

extension GuideCallsTests.Stage {
  /// Ends a motion stream after a time, and returns the number of its samples.
  fileprivate func count(_ stream: Notices, _ name: String, after seconds: Double) async throws -> Int {
    try await notices(stream, name, after: seconds, MotionNotice.self).reduce(0) { sum, notice in
      if case .samples(let samples, _) = notice { sum + samples.count } else { sum }
    }
  }
}
